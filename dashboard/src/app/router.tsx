import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { ApiFailure } from '../api/failure.ts'
import { queryClient } from '../api/query.ts'
import { merchantOptions, programOptions, programsOptions, sessionOptions } from '../api/session.ts'
import { FailedPage, NotFoundPage } from '../frame/failed-page.tsx'
import { Frame } from '../frame/frame.tsx'
import { merchantPages, operatorPages, programPages } from '../pages.ts'
import { merchantPath, programPath } from '../parts/page-link.tsx'
import { PageSkeleton } from '../parts/page-skeleton.tsx'
import { watchHistory } from './came-from.ts'
import { loadFile } from './later.ts'
import { showOfAccount, showToOperator } from './locale.ts'
import { idOf } from './merchant.ts'
import { parseSearch, type Search, stringifySearch } from './search.ts'

/** The pages and their URLs. Those about a merchant come from the table in pages.ts. */

const root = createRootRoute({ component: Outlet, validateSearch: (search): Search => search as Search })

type Load = () => Promise<{ readonly Page: ComponentType }>

/** A page that is loaded when it is first opened. `FailedPage` tries again. */
const pageOf = (load: Load) => lazyRouteComponent(() => loadFile(load), 'Page')

const open = (path: string, load: Load) => createRoute({ getParentRoute: () => root, path, component: pageOf(load) })

/** Everything below needs a session. People without one sign in first and then come back. */
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
    if (session.is_operator) await showToOperator()
    if (session.locale !== null) await showOfAccount(session.locale)
  },
})

const home = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  async beforeLoad() {
    const { memberships, is_operator } = await queryClient.ensureQueryData(sessionOptions)
    // A person with a single merchant or program has nothing to choose.
    if (is_operator) {
      const { rows } = await queryClient.ensureQueryData(programsOptions)
      const [only, ...others] = rows
      if (only !== undefined && others.length === 0)
        throw redirect({ to: programPath(String(only.program_id), ''), replace: true })
      return
    }
    const [only, ...others] = memberships
    if (only !== undefined && others.length === 0)
      throw redirect({ to: merchantPath(String(only.merchant_id), ''), replace: true })
  },
  component: pageOf(() => import('../pages/merchants/page.tsx')),
})

const account = createRoute({
  getParentRoute: () => signedIn,
  path: 'account',
  component: pageOf(() => import('../pages/account/page.tsx')),
})

const mails = createRoute({
  getParentRoute: () => signedIn,
  path: 'mails',
  component: pageOf(() => import('../pages/mails/page.tsx')),
})

const merchant = createRoute({
  getParentRoute: () => signedIn,
  path: 'm/$merchantId',
  loader: ({ params }) => queryClient.ensureQueryData(merchantOptions(idOf(params.merchantId))),
})

const program = createRoute({
  getParentRoute: () => signedIn,
  path: 'p/$programId',
  loader: ({ params }) => queryClient.ensureQueryData(programOptions(idOf(params.programId))),
})

const service = createRoute({ getParentRoute: () => signedIn, path: 'operator' })

type Parent = typeof merchant | typeof program | typeof service

const pagesBelow = (parent: Parent, pages: typeof operatorPages) =>
  pages.map(({ path, load }) =>
    createRoute({
      getParentRoute: () => parent,
      path: path === '' ? '/' : path,
      component: pageOf(load),
    }),
  )

const routeTree = root.addChildren([
  open('sign-in', () => import('../pages/sign-in/page.tsx')),
  open('forgot', () => import('../pages/forgot/page.tsx')),
  open('link', () => import('../pages/link/page.tsx')),
  signedIn.addChildren([
    ...[home, account, mails],
    merchant.addChildren(pagesBelow(merchant, merchantPages)),
    program.addChildren(pagesBelow(program, programPages)),
    service.addChildren(pagesBelow(service, operatorPages)),
  ]),
])

export const router = createRouter({
  routeTree,
  basepath: '/dashboard',
  parseSearch,
  stringifySearch,
  trailingSlash: 'preserve',
  // Nothing that was typed or chosen about one merchant, order or customer goes along to another.
  defaultRemountDeps: ({ params }) => params,
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
  defaultPendingMs: 200,
  defaultPendingComponent: PageSkeleton,
  defaultErrorComponent: FailedPage,
  defaultNotFoundComponent: NotFoundPage,
})

watchHistory(router.history)
