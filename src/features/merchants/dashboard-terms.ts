import Type, { type Static } from 'typebox'
import type { Day } from '../../domain/day.ts'
import { DomainError } from '../../domain/failures.ts'
import { terms as builtIn } from '../../domain/terms.ts'
import { max_terms_characters, writeTerms } from '../../domain/terms-text.ts'
import { isDay, object, refine, text } from '../../http/api/fields.ts'
import type { ProgramRequest } from '../../http/dashboard/route.ts'
import type { Clock } from '../../lib/clock.ts'
import type { TermsService } from './terms.ts'

export interface DashboardTermsServices {
  readonly clock: Clock
  readonly programTerms: TermsService
}

const versionSchema = { version: Type.String(), begins_on: Type.String({ format: 'date' }) }
const listSchema = {
  current: Type.String({ description: 'The version in force.' }),
  versions: Type.Array(Type.Object(versionSchema), { description: 'Own ones, the latest first; none for our text.' }),
}
const textsSchema = { text_en: Type.String(), text_ar: Type.String() }

async function view({ program }: Pick<ProgramRequest, 'program'>, { programTerms }: DashboardTermsServices) {
  const { program_id } = program
  const versions = await programTerms.list(program_id)
  return {
    current: await programTerms.versionOf(program_id),
    versions: versions.map(({ version, begins_on }) => ({ version, begins_on })),
  }
}

export const readProgramTerms = {
  tag: 'Programs',
  summary: "List the versions of a program's terms",
  data: Type.Object(listSchema, { title: 'ProgramTerms' }),
  handle: (request: ProgramRequest, services: DashboardTermsServices) => view(request, services),
} as const

export const readOneTerms = {
  tag: 'Programs',
  summary: "Read a version of a program's terms, or our own text by its version",
  data: Type.Object({ version: Type.String(), ...textsSchema }, { title: 'TermsText' }),
  failures: ['not_found'],
  async handle({ program, params }: ProgramRequest<undefined, 'version'>, { programTerms }: DashboardTermsServices) {
    if (params.version === builtIn.version) {
      const { en, ar } = builtIn.texts
      return { version: builtIn.version, text_en: writeTerms(en), text_ar: writeTerms(ar) }
    }
    const found = await programTerms.find(program.program_id, params.version)
    if (found === undefined) throw new DomainError({ kind: 'not_found' })
    const { version, text_en, text_ar } = found
    return { version, text_en, text_ar }
  },
} as const

const typed = () =>
  text({
    max: max_terms_characters,
    description: 'First the title; a line that begins with `## ` begins a section, an empty line ends a paragraph.',
  })
const fresh = object({
  version: text({ max: 20, description: 'Letters, digits, dots and dashes. Consents record it.' }),
  begins_on: refine(Type.String({ description: 'A day in Riyadh, today or later.' }), 'day', isDay),
  text_en: typed(),
  text_ar: typed(),
})

export const addProgramTerms = {
  tag: 'Programs',
  summary: "Add a version of a program's terms, in both languages",
  description: 'Versions stay readable. Customers who join from that day on agree to it.',
  body: fresh,
  data: Type.Object(listSchema, { title: 'ProgramTerms' }),
  failures: ['validation'],
  async handle(request: ProgramRequest<Static<typeof fresh>>, services: DashboardTermsServices) {
    const { program, body, actor } = request
    await services.programTerms.add(program.program_id, { ...body, begins_on: body.begins_on as Day }, actor)
    return view(request, services)
  },
} as const
