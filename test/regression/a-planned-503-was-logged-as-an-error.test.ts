import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Received } from '../../src/features/payments/reports.ts'
import type { PageRow } from '../../src/http/pages/page.ts'
import { newUuid } from '../../src/lib/ids.ts'
import { showFailure } from '../../src/pages/design/failure.ts'
import { type PaymentReportServices, paymentCallback } from '../../src/pages/payments/reports.ts'
import { startServer, type TestServer } from '../http/support.ts'

// A provider that reports a payment before it can be looked up is asked by a 503 to come again, and a process that stops answers
// its load balancer with one. The log called them errors of the service.

let received: () => Received = () => 'open'
const services: PaymentReportServices = {
  receiveReports: { ofPayment: async () => received(), ofAccount: async () => received() },
}
const rows: PageRow<PaymentReportServices>[] = [paymentCallback]

let server: TestServer
beforeAll(async () => {
  server = await startServer([], services, { pages: { rows, showFailure } })
})
afterAll(() => server.stop())

async function levelOf(method: string, path: string): Promise<unknown> {
  const { status, headers } = await server.call(method, path, method === 'POST' ? { json: {} } : {})
  const find = () =>
    server.logged.find((line) => line.includes(String(headers['x-request-id'])) && line.includes('"request"'))
  await expect.poll(find).toBeDefined()
  return { status, level: JSON.parse(find() ?? '').level }
}

const levelOfReport = () => levelOf('POST', `/payments/paytabs/1/${newUuid()}/callback`)

it('a report of a payment that is still open is answered with 503, as planned', async () => {
  expect(await levelOfReport()).toEqual({ status: 503, level: 'info' })
})

it('a report that fails is an error', async () => {
  received = () => {
    throw new Error('broken')
  }
  expect(await levelOfReport()).toEqual({ status: 500, level: 'error' })
})

it('a process that stops says so to its load balancer, which is no error', async () => {
  server.server.announceStop()
  expect(await levelOf('GET', '/readyz')).toEqual({ status: 503, level: 'info' })
})
