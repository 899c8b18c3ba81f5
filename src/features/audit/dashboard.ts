import Type, { type Static } from 'typebox'
import { deployment_program_id } from '../../domain/audit.ts'
import { refine, text } from '../../http/api/fields.ts'
import { listPagination } from '../../http/dashboard/list.ts'
import type { MerchantRequest, ProgramRequest, StaffRequest } from '../../http/dashboard/route.ts'
import { answerChanges, auditChange, auditFilters, auditPaging, downloadChanges, filterOf } from './dashboard-view.ts'
import { readObjects } from './list.ts'
import type { ListMerchantChanges, ListProgramChanges } from './pages.ts'

export interface DashboardAuditServices {
  readonly listMerchantChanges: ListMerchantChanges
  readonly listProgramChanges: ListProgramChanges
}

const query = Type.Object({ ...auditPaging, ...auditFilters })
const csvQuery = Type.Object(auditFilters)

const list = {
  tag: 'Audit log',
  description: 'A page can be short, or empty, with more behind it: it has looked at a bounded part of the log.',
  data: Type.Array(auditChange),
  pagination: listPagination,
} as const
const file = {
  tag: 'Audit log',
  data: Type.Object({}, { description: 'A file of at most 100,000 changes, one line for each changed field.' }),
} as const

type OfMerchant<Query> = MerchantRequest<undefined, 'merchantId', Query>

/** Who changed what at a merchant. docs/spec/operation.md#audit */
export const listAudit = {
  ...list,
  summary: 'List the changes at a merchant, the newest first',
  query,
  handle({ merchant, query: sent }: OfMerchant<Static<typeof query>>, { listMerchantChanges }: DashboardAuditServices) {
    return answerChanges(sent, (page) => listMerchantChanges(merchant, filterOf(sent), page))
  },
} as const

export const downloadAudit = {
  ...file,
  summary: 'Download the changes at a merchant as CSV',
  query: csvQuery,
  async handle(
    { merchant, query: sent }: OfMerchant<Static<typeof csvQuery>>,
    { listMerchantChanges }: DashboardAuditServices,
  ) {
    const read = (page: Parameters<ListMerchantChanges>[2]) => listMerchantChanges(merchant, filterOf(sent), page)
    return downloadChanges(String(merchant.merchant_id), sent, read)
  },
} as const

const isObject = (value: unknown): boolean => typeof value !== 'string' || readObjects(value.trim()) !== undefined
const object = Type.Optional(
  refine(
    text({ max: 100, description: '`merchant:7`, `customer:UUID`, or a UUID alone.' }),
    'in',
    isObject,
    'merchant:7, customer:UUID, UUID',
  ),
)
const programQuery = Type.Object({ ...auditPaging, ...auditFilters, object })
const programCsvQuery = Type.Object({ ...auditFilters, object })

type OfProgram<Query> = ProgramRequest<undefined, 'programId', Query>
type OfDeployment<Query> = StaffRequest<undefined, never, Query>

/** How the changes of a program, or of the deployment, are read for what an operator asks. */
function changesOf(program_id: number, sent: Static<typeof programCsvQuery>, services: DashboardAuditServices) {
  const objects = sent.object === undefined ? undefined : readObjects(sent.object.trim())
  const filter = { ...filterOf(sent), objects }
  return (page: Parameters<ListProgramChanges>[2]) => services.listProgramChanges(program_id, filter, page)
}

export const listProgramAudit = {
  ...list,
  summary: 'List the changes in a program, the newest first',
  query: programQuery,
  handle(
    { program: { program_id }, query: sent }: OfProgram<Static<typeof programQuery>>,
    services: DashboardAuditServices,
  ) {
    return answerChanges(sent, changesOf(program_id, sent, services))
  },
} as const

export const downloadProgramAudit = {
  ...file,
  summary: 'Download the changes in a program as CSV',
  query: programCsvQuery,
  async handle({ program, query: sent }: OfProgram<Static<typeof programCsvQuery>>, services: DashboardAuditServices) {
    const { program_id } = program
    return downloadChanges(`program-${program_id}`, sent, changesOf(program_id, sent, services))
  },
} as const

export const listDeploymentAudit = {
  ...list,
  summary: 'List the changes of the whole deployment, which belong to no program, the newest first',
  query: programQuery,
  handle({ query: sent }: OfDeployment<Static<typeof programQuery>>, services: DashboardAuditServices) {
    return answerChanges(sent, changesOf(deployment_program_id, sent, services))
  },
} as const

export const downloadDeploymentAudit = {
  ...file,
  summary: 'Download the changes of the whole deployment as CSV',
  query: programCsvQuery,
  async handle({ query: sent }: OfDeployment<Static<typeof programCsvQuery>>, services: DashboardAuditServices) {
    return downloadChanges('deployment', sent, changesOf(deployment_program_id, sent, services))
  },
} as const
