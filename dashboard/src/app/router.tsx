import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { ApiFailure } from '../api/failure.ts'
import { queryClient } from '../api/query.ts'
import { merchantOptions, sessionOptions } from '../api/session.ts'
import { FailedPage, NotFoundPage } from '../frame/failed-page.tsx'
import { Frame } from '../frame/frame.tsx'
import { merchantPages } from '../pages.ts'
import { merchantPath } from '../parts/page-link.tsx'
import { PageSkeleton } from '../parts/page-skeleton.tsx'
import { showIn } from './locale.ts'
import { merchantIdOf } from './merchant.ts'
import { parseSearch, type Search, stringifySearch } from './search.ts'

/** The pages and their URLs. Those about a merchant come from the table in pages.ts. */

const root = createRootRoute({ component: Outlet, validateSearch: (search): Search => search as Search })

const open = (path: string, load: () => Promise<{ readonly Page: () => React.ReactNode }>) =>
  createRoute({ getParentRoute: () => root, path, component: lazyRouteComponent(load, 'Page') })

/** Everything below needs somebody who is signed in; others are asked to, and come back here. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: Frame,
  async beforeLoad({ location }) {
    const session = await queryClient.ensureQueryData(sessionOptions).catch((error: unknown) => {
      if (error instanceof ApiFailure && error.isSignedOut)
        throw redirect({ to: '/sign-in', search: location.pathname === '/' ? {} : { back: location.href } })
      throw error
    })
    if (session.locale !== null) await showIn(session.locale)
  },
})

const home = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  async beforeLoad() {
    const { memberships, is_operator } = await queryClient.ensureQueryData(sessionOptions)
    const [only, ...others] = memberships
    // Who has one merchant has nothing to choose.
    if (only !== undefined && others.length === 0 && !is_operator)
      throw redirect({ to: merchantPath(String(only.merchant_id), ''), replace: true })
  },
  component: lazyRouteComponent(() => import('../pages/merchants/page.tsx'), 'Page'),
})

const account = createRoute({
  getParentRoute: () => signedIn,
  path: 'account',
  component: lazyRouteComponent(() => import('../pages/account/page.tsx'), 'Page'),
})

const mails = createRoute({
  getParentRoute: () => signedIn,
  path: 'mails',
  component: lazyRouteComponent(() => import('../pages/mails/page.tsx'), 'Page'),
})

const merchant = createRoute({
  getParentRoute: () => signedIn,
  path: 'm/$merchantId',
  loader: ({ params }) => queryClient.ensureQueryData(merchantOptions(merchantIdOf(params.merchantId))),
})

const aboutMerchant = merchantPages.map(({ path, load }) =>
  createRoute({
    getParentRoute: () => merchant,
    path: path === '' ? '/' : path,
    component: lazyRouteComponent(load, 'Page'),
  }),
)

const routeTree = root.addChildren([
  open('sign-in', () => import('../pages/sign-in/page.tsx')),
  open('forgot', () => import('../pages/forgot/page.tsx')),
  open('link', () => import('../pages/link/page.tsx')),
  signedIn.addChildren([home, account, mails, merchant.addChildren(aboutMerchant)]),
])

export const router = createRouter({
  routeTree,
  basepath: '/dashboard',
  parseSearch,
  stringifySearch,
  trailingSlash: 'preserve',
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
  defaultPendingMs: 200,
  defaultPendingComponent: PageSkeleton,
  defaultErrorComponent: FailedPage,
  defaultNotFoundComponent: NotFoundPage,
})
