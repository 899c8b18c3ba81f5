import Type from 'typebox'
import type { Environment } from '../../config/config.ts'
import { oneOf, refine } from '../../http/api/fields.ts'
import { isId, limitOf, listPagination, listQuery, pageOf } from '../../http/dashboard/list.ts'
import type { ProgramRequest, StaffRequest } from '../../http/dashboard/route.ts'
import type { PagePrograms } from './programs.ts'

/** What the operators' endpoints about programs need. */
export interface DashboardProgramServices {
  readonly environment: Environment
  readonly pagePrograms: PagePrograms
}

const query = Type.Object({
  ...listQuery,
  after: Type.Optional(refine(Type.String({ description: '`next` of the page before.' }), 'integer', isId)),
})

export const listPrograms = {
  tag: 'Programs',
  summary: 'List the programs of the deployment, the oldest first',
  query,
  data: Type.Array(Type.Object({ program_id: Type.Integer(), name: Type.String() })),
  pagination: listPagination,
  async handle(
    { query: sent }: StaffRequest<undefined, never, Type.Static<typeof query>>,
    { pagePrograms }: DashboardProgramServices,
  ) {
    const limit = limitOf(sent)
    return pageOf(await pagePrograms(Number(sent.after ?? 0), limit + 1), {
      limit,
      view: ({ program_id, name }) => ({ program_id, name }),
      cursor: ({ program_id }) => String(program_id),
    })
  },
} as const

/** The facts about a program that each of its pages needs. */
export const readOneProgram = {
  tag: 'Programs',
  summary: 'Read a program',
  data: Type.Object({
    program_id: Type.Integer(),
    name: Type.String(),
    locale: oneOf(['ar', 'en']),
    environment: oneOf(['sandbox', 'production']),
  }),
  async handle({ program: { program_id, name, locale } }: ProgramRequest, { environment }: DashboardProgramServices) {
    return { program_id, name, locale, environment }
  },
} as const
