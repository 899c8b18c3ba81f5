import Type, { type Static } from 'typebox'
import type { Environment } from '../../config/config.ts'
import { DomainError } from '../../domain/failures.ts'
import { max_merchant_name } from '../../domain/merchant.ts'
import {
  documents,
  max_document_note,
  max_merchant_note,
  max_suspension_reason,
  merchantStages,
  stageOf,
} from '../../domain/merchant-review.ts'
import { boolean, instant, line, nullable, object, oneOf, optional, text } from '../../http/api/fields.ts'
import { limitOf, listPagination, pageOf } from '../../http/dashboard/list.ts'
import type { ProgramMerchantRequest, ProgramRequest } from '../../http/dashboard/route.ts'
import { checkVersion, sentVersion } from '../../http/dashboard/version.ts'
import { cursorOf, merchantListQuery, placeOf } from '../merchants/dashboard-list.ts'
import { flowColumns, flowsChange } from '../merchants/flows-view.ts'
import type { ProgramMerchants } from '../merchants/list.ts'
import { firstPlace } from '../merchants/list-queries.ts'
import type { ProgramMerchantRow } from '../merchants/program-list-queries.ts'
import type { MerchantChanges, MerchantRow } from '../merchants/queries.ts'
import type { MadeMerchant } from '../merchants/service.ts'
import { reviewed, viewNote, viewReviewed, viewStanding } from './dashboard-view.ts'
import type { NoteRow } from './queries.ts'
import type { MerchantReview } from './service.ts'

/** What operators see of merchants, and do about them. */
export interface MerchantReviewServices {
  readonly environment: Environment
  readonly programMerchants: ProgramMerchants
  readonly merchantReview: MerchantReview
}

const tag = 'Merchants of a program'

const listQuery = Type.Object({ ...merchantListQuery.properties, stage: Type.Optional(oneOf(merchantStages)) })

export const listMerchantsOfProgram = {
  tag,
  summary: 'List the merchants of a program by name',
  description: 'A merchant whose number is `q` comes first.',
  query: listQuery,
  data: Type.Array(
    Type.Object({
      merchant_id: Type.Integer(),
      name: Type.String(),
      name_ar: nullable(Type.String()),
      stage: oneOf(merchantStages),
      key_status: Type.Boolean(),
      created_at: instant(),
    }),
  ),
  pagination: listPagination,
  async handle(
    { query, program }: ProgramRequest<undefined, never, Static<typeof listQuery>>,
    { programMerchants }: MerchantReviewServices,
  ) {
    const [limit, after] = [limitOf(query), placeOf(query.after ?? '')]
    const asked = { q: query.q ?? '', stage: query.stage, after, limit: limit + 1 }
    const { numbered, named } = await programMerchants.find(program.program_id, asked)
    return pageOf(numbered === undefined ? named : [numbered, ...named], {
      limit,
      view: viewListed,
      cursor: (row) => cursorOf(row === numbered ? firstPlace : row),
    })
  },
} as const

function viewListed(row: ProgramMerchantRow) {
  const { merchant_id, name, name_ar, key_status, created_at } = row
  return { merchant_id, name, name_ar, stage: stageOf(row), key_status, created_at: created_at.toISOString() }
}

const names = object({
  name: line({ max: max_merchant_name }),
  name_ar: optional(
    line({ max: max_merchant_name, description: 'On Arabic pages; without it, they show the other name.' }),
  ),
})

const viewMade = ({ merchant_id, name, public_key, private_key }: MadeMerchant) => ({
  merchant_id,
  name,
  public_key,
  private_key,
})

export const createOneMerchant = {
  tag,
  summary: 'Create a merchant',
  description: 'It is neither verified nor published. Its private key is shown here and never again.',
  body: names,
  data: Type.Object({
    merchant_id: Type.Integer(),
    name: Type.String(),
    public_key: Type.String(),
    private_key: Type.String(),
  }),
  async handle(
    { program, body, actor, once }: ProgramRequest<Static<typeof names>>,
    { merchantReview }: MerchantReviewServices,
  ) {
    const fresh = { program_id: program.program_id, name: body.name, name_ar: body.name_ar ?? null }
    return viewMade(await merchantReview.create(fresh, { by: actor, keep: once.keeping(viewMade) }))
  },
} as const

export const reviewOneMerchant = {
  tag,
  summary: 'Read what operators know of a merchant',
  data: reviewed,
  async handle({ merchant }: ProgramMerchantRequest, { merchantReview }: MerchantReviewServices) {
    return viewReviewed(await merchantReview.read(merchant))
  },
} as const

const change = object({
  version: sentVersion(),
  verified: optional(boolean()),
  published: optional(boolean()),
  key_status: optional(boolean({ description: 'Requests with keys that are off are refused.' })),
  flows: optional(flowsChange),
})

export const changeStanding = {
  tag,
  summary: 'Verify or publish a merchant, and switch its flows and keys',
  description: 'What is not sent stays as it is. The change counts from the next request on.',
  body: change,
  data: reviewed,
  failures: ['stale', 'merchant_suspended'],
  async handle(
    { merchant, body, actor }: ProgramMerchantRequest<Static<typeof change>>,
    { merchantReview }: MerchantReviewServices,
  ) {
    const { version, key_status } = body
    const check = (was: MerchantRow) => checkVersion(version, viewStanding(was))
    await merchantReview.change(merchant, { changes: changesOf(body), key_status }, actor, check)
    return viewReviewed(await merchantReview.read(merchant))
  },
} as const

function changesOf({ verified, published, flows }: Static<typeof change>): MerchantChanges {
  const all = {
    ...{ verified, published },
    ...flowColumns(flows),
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

const note = object({
  version: sentVersion(),
  note: optional(text({ max: max_merchant_note, description: 'Without it, the note is emptied.' })),
})

export const changeNote = {
  tag,
  summary: 'Write what other operators should know of a merchant',
  description: 'The merchant never sees it.',
  body: note,
  data: reviewed,
  failures: ['stale'],
  async handle(
    { merchant, body, actor }: ProgramMerchantRequest<Static<typeof note>>,
    { merchantReview }: MerchantReviewServices,
  ) {
    const check = (was: NoteRow | undefined) => checkVersion(body.version, viewNote(was))
    await merchantReview.writeNote(merchant, body.note ?? '', actor, check)
    return viewReviewed(await merchantReview.read(merchant))
  },
} as const

const paper = object({
  seen: boolean(),
  note: optional(
    nullable(text({ max: max_document_note, description: 'Without it the note stays; null empties it.' })),
  ),
})

export const tickDocument = {
  tag,
  summary: 'Say that a paper of a merchant was seen, or that it no longer counts',
  body: paper,
  data: reviewed,
  failures: ['not_found'],
  async handle(
    { merchant, params, body, actor }: ProgramMerchantRequest<Static<typeof paper>, 'document'>,
    { merchantReview }: MerchantReviewServices,
  ) {
    const document = documents.find((name) => name === params.document)
    if (document === undefined) throw new DomainError({ kind: 'not_found' })
    await merchantReview.tick(merchant, { document, seen: body.seen, note: body.note }, actor)
    return viewReviewed(await merchantReview.read(merchant))
  },
} as const

const stageAnswer = Type.Object({ stage: oneOf(merchantStages), key_status: Type.Boolean() })
const viewStage = (row: MerchantRow) => ({ stage: stageOf(row), key_status: row.key_status })

const why = object({
  reason: text({ max: max_suspension_reason, description: 'Its team reads it.' }),
  keys_off: optional(boolean({ description: 'Refuse its keys too.' })),
})

export const suspendOneMerchant = {
  tag,
  summary: 'Suspend a merchant',
  description:
    'From the next request on it counts as not published. What it did before stays, and its customers keep their points.',
  body: why,
  data: stageAnswer,
  failures: ['merchant_suspended'],
  async handle(
    { merchant, body, actor, once }: ProgramMerchantRequest<Static<typeof why>>,
    { merchantReview }: MerchantReviewServices,
  ) {
    const { reason, keys_off = false } = body
    const how = { by: actor, keep: once.keeping(viewStage) }
    return viewStage(await merchantReview.suspend(merchant, { reason, keys_off }, how))
  },
} as const

const goOn = object({ keys_on: optional(boolean({ description: 'Accept its keys again.' })) })

export const resumeOneMerchant = {
  tag,
  summary: 'Lift the suspension of a merchant',
  description: 'It is published again if it was before.',
  body: goOn,
  body_optional: true,
  data: stageAnswer,
  async handle(
    { merchant, body, actor, once }: ProgramMerchantRequest<Static<typeof goOn>>,
    { merchantReview }: MerchantReviewServices,
  ) {
    const how = { by: actor, keep: once.keeping(viewStage) }
    return viewStage(await merchantReview.resume(merchant, body?.keys_on ?? false, how))
  },
} as const
