import { useNavigate } from '@tanstack/react-router'
import { asLinkSearch } from '../app/search.ts'
import { usePageState } from './page-state.ts'
import { useUrlSearch } from './url-filters.ts'

export interface Paging {
  /** To spread into the API's `query`. */
  readonly query: { readonly after?: string }
  /** Undefined on the first page. */
  readonly toFirst: (() => void) | undefined
  readonly toPrevious: (() => void) | undefined
  readonly toNext: (cursor: string) => void
}

/** The pages that led here, which the browser keeps beside the URL. A link to a page does not know them. */
function trailOf(state: object): readonly string[] {
  const trail: unknown = Reflect.get(state, 'trail')
  return Array.isArray(trail) ? trail.filter((one) => typeof one === 'string') : []
}

/** The page of a list, by the cursor `after` of the URL. */
export function usePaging(): Paging {
  const search = useUrlSearch()
  const navigate = useNavigate()
  const { state } = usePageState()
  const { after, ...filters } = search
  const trail = trailOf(state)
  const go = (cursor: string | undefined, next: readonly string[]) => {
    const to = { to: '.', search: asLinkSearch({ ...filters, after: cursor }) }
    void navigate({ ...to, state: (before) => ({ ...before, trail: next }) })
  }
  const before = trail.at(-1)
  return {
    query: after === undefined ? {} : { after },
    toFirst: after === undefined ? undefined : () => go(undefined, []),
    toPrevious:
      after === undefined || before === undefined ? undefined : () => go(before || undefined, trail.slice(0, -1)),
    toNext: (cursor) => go(cursor, [...trail, after ?? ''].slice(-200)),
  }
}
