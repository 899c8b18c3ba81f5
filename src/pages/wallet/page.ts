import type { Uuid } from '../../domain/ids.ts'
import type { Phone } from '../../domain/phone.ts'
import type { Page, PageRequest, PageRow } from '../../http/pages/page.ts'
import { homePage } from './home.ts'
import { codeScreen, joinScreen, phoneScreen, unknownScreen } from './screens.ts'
import type { WalletServices } from './services.ts'
import { submitWallet } from './submit.ts'
import { type Visit, visitOf } from './visit.ts'

/** How many movements a page has. */
const page_size = 20

/** `/wallet`: sign-in, joining, and the wallet; `?program=ID` names another program than the deployment's first. */
export const walletHomePage: PageRow<WalletServices> = {
  path: '/wallet',
  async show(request: PageRequest, services: WalletServices): Promise<Page> {
    const visit = await visitOf(request, services)
    return visit === null ? unknownScreen(request, { sandbox: services.environment === 'sandbox' }) : showWallet(visit)
  },
  submit: submitWallet,
}

function showWallet(visit: Visit): Promise<Page> {
  const { session } = visit
  if (session === null || !session.proven) return showSignIn(visit)
  return session.customer_id === null ? showJoin(visit, session) : showHome(visit, session.customer_id)
}

async function showSignIn({ request, services, session, program, ended }: Visit): Promise<Page> {
  const sandbox = services.environment === 'sandbox'
  if (session === null || request.query['at'] === 'number') return phoneScreen(request, { sandbox, ended })
  const { program_id } = program
  const { session_uuid, phone } = session
  const code = await services.peekOtp({ program_id, purpose: 'wallet', subject_uuid: session_uuid })
  if (code === null || code.phone !== phone) return phoneScreen(request, { sandbox, ended })
  return codeScreen(request, { ...code, sandbox })
}

async function showJoin({ request, services, program }: Visit, { phone }: { phone: Phone }): Promise<Page> {
  const { program_id } = program
  const [{ name }, waiting_points] = await Promise.all([
    services.meetCustomer(program_id, phone),
    services.readWaiting(program_id, phone),
  ])
  return joinScreen(request, { sandbox: services.environment === 'sandbox', name: name ?? '', waiting_points })
}

async function showHome({ request, services, program }: Visit, customer_id: Uuid): Promise<Page> {
  const { program_id } = program
  const before = readVersion(request.query['before'])
  const [wallet, history] = await Promise.all([
    services.readWallet(program_id, customer_id),
    services.readHistory(program_id, customer_id, { before, limit: page_size }),
  ])
  return homePage(request, {
    wallet,
    history,
    newest: before === null,
    joined: request.query['note'] === 'joined',
    sandbox: services.environment === 'sandbox',
  })
}

function readVersion(text: string | undefined): number | null {
  return text !== undefined && /^[1-9][0-9]{0,14}$/.test(text) ? Number(text) : null
}
