import Type from 'typebox'
import type { ProgramRequest } from '../../http/dashboard/route.ts'
import type { Clock } from '../../lib/clock.ts'
import { exactNumber } from '../../lib/exact-number.ts'
import type { ProgramMerchants } from '../merchants/list.ts'
import { type PeriodQuery, periodFields, periodOf, periodQuery, viewPeriod } from './dashboard.ts'
import type { ReadProgramFigures } from './program-overview.ts'

export interface ProgramOverviewServices {
  readonly clock: Clock
  readonly programMerchants: ProgramMerchants
  readonly readProgramFigures: ReadProgramFigures
  readonly proposals: CountsOpen
  readonly findings: CountsOpen
}

interface CountsOpen {
  countOpen(program_id: number): Promise<number>
}

const count = Type.Integer()

/** The first page of a program. */
export const readProgramOverview = {
  tag: 'Programs',
  summary: "Read a program's figures, and how its merchants stand",
  query: periodQuery,
  data: Type.Object({
    ...periodFields,
    merchants: Type.Object({ live: count, unverified: count, unpublished: count, suspended: count }),
    open_proposals: Type.Integer({ description: 'Changes that wait for a second person.' }),
    open_findings: Type.Integer({ description: 'Findings about payments that nobody has handled.' }),
    customers: count,
    outstanding_points: Type.Number({ description: 'What all customers hold, at most a minute ago.' }),
    held_points: Type.Number({ description: 'Of them, those held for checkouts and orders.' }),
  }),
  async handle({ program, query }: ProgramRequest<undefined, never, PeriodQuery>, services: ProgramOverviewServices) {
    const { program_id } = program
    const [{ wallets, ...figures }, merchants, open_proposals, open_findings] = await Promise.all([
      services.readProgramFigures(program_id, periodOf(query, services.clock)),
      services.programMerchants.count(program_id),
      services.proposals.countOpen(program_id),
      services.findings.countOpen(program_id),
    ])
    return {
      ...viewPeriod(figures, services.clock),
      ...{ merchants, open_proposals, open_findings },
      customers: wallets.customers,
      outstanding_points: exactNumber(BigInt(wallets.posted), 0),
      held_points: exactNumber(BigInt(wallets.held), 0),
    }
  },
} as const
