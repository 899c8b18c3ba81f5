import type { Page, PageRequest, PageRow } from '../../http/pages/page.ts'
import { instantsOf, readPeriod } from './period.ts'
import { unknownScreen } from './screens.ts'
import type { WalletServices } from './services.ts'
import { statementPage, wrongPeriodPage } from './statement.ts'
import { toWallet, visitOf } from './visit.ts'

/** `/wallet/statement?from=&to=`: the movements of some days, for print. */
export const walletStatementPage: PageRow<WalletServices> = {
  path: '/wallet/statement',
  cookies: true,
  async show(request: PageRequest, services: WalletServices): Promise<Page> {
    const sandbox = services.environment === 'sandbox'
    const visit = await visitOf(request, services)
    if (visit === null) return unknownScreen(request, { sandbox })
    const { session, program } = visit
    if (session?.proven !== true || session.customer_id === null) return toWallet(visit)
    const now = services.clock.now()
    const period = readPeriod(request.query, now)
    if (period === null) return wrongPeriodPage(request, { wrong: 'days', now, sandbox })
    const { program_id, name: program_name } = program
    const { customer_id } = session
    const [{ name, phone }, statement] = await Promise.all([
      services.readWallet(program_id, customer_id),
      services.readStatement(program_id, customer_id, instantsOf(period)),
    ])
    if (statement === null) return wrongPeriodPage(request, { wrong: 'length', now, sandbox })
    return statementPage(request, { program_name, name, phone, period, statement, now, sandbox })
  },
}
