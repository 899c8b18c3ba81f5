import { type EarningServices, earnForPurchase } from '../features/earning/route.ts'
import { type OrderServices, readOneOrder } from '../features/orders/route.ts'
import { type Route, route } from './route.ts'

/** What the handlers of all routes need; `compose.ts` makes it. */
export type Services = EarningServices & OrderServices

/** THE ROUTE TABLE: one row says everything about an endpoint that is not its own business (spec, "Endpoints"). */
// biome-ignore format: one row per endpoint, to be read as a table
export const routes: readonly Route<Services>[] = [
  route({ post: '/v1/orders/earning',     key: 'private', standing: 'published', flow: 'earning', ...earnForPurchase }),
  route({ get:  '/v1/orders/:orderUuid',  key: 'private', ...readOneOrder }),
]
