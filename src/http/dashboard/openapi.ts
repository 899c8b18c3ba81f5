import type { FailureKind } from '../../domain/failures.ts'
import { describeApi } from '../api/openapi.ts'
import type { Route } from '../api/route.ts'
import { sessionCookie } from './auth.ts'
import { dashboard_prefix } from './register.ts'
import type { DashboardRoute } from './route.ts'

/** Gives the OpenAPI 3.1 description of the dashboard's own API. */
export function buildDashboardOpenApi<Services>(rows: readonly DashboardRoute<Services>[]): object {
  return describeApi(rows.map(asRoute), {
    title: 'Nuqta dashboard',
    version: '1.0.0',
    description:
      'What the pages of the dashboard use. It changes with them and without notice: programs use the merchant API. A ' +
      'session is a cookie; every request but GET carries `x-csrf-token`, which `GET /session` gives, and comes from our own pages.',
    server: dashboard_prefix,
    security: { session: { type: 'apiKey', in: 'cookie', name: sessionCookie } },
    securityOf: ({ path, method }) => {
      const row = rows.find((one) => one.path === path && one.method === method)
      return row?.may === 'anyone' ? [] : [{ session: [] }]
    },
  })
}

function asRoute<Services>(row: DashboardRoute<Services>): Route<never> {
  const failures: FailureKind[] = [
    ...(row.may === 'anyone' ? [] : (['not_signed_in'] as const)),
    ...(row.may === 'anyone' || row.may === 'signed_in' ? [] : (['not_permitted'] as const)),
    ...(row.recent ? (['confirm_password'] as const) : []),
    ...(row.path.includes(':programId') ? (['program_not_found'] as const) : []),
    ...(row.path.includes(':merchantId') ? (['merchant_not_found'] as const) : []),
    ...(row.method === 'GET' ? [] : (['cross_site'] as const)),
    ...(row.query === undefined ? [] : (['validation'] as const)),
    ...(row.failures ?? []),
  ]
  const { run: _, may: _may, recent: _recent, ...rest } = row
  return {
    ...rest,
    failures,
    key: 'none',
    standing: undefined,
    flow: undefined,
    cors: undefined,
    idempotency_keeps: undefined,
    keeps_bytes: false,
    run: () => Promise.reject(new Error('only described')),
  }
}
