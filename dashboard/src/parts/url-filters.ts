import { useNavigate, useSearch } from '@tanstack/react-router'
import { asLinkSearch, type Search } from '../app/search.ts'
import { usePageState } from './page-state.ts'

/** The query of the page's URL, as texts. */
export function useUrlSearch(): Search {
  return useSearch({ strict: false })
}

export interface UrlFilters<Name extends string> {
  /** Only the filters that are set, as the API's `query` takes them. */
  readonly values: { readonly [N in Name]?: string }
  /** Sets some filters; undefined or '' clears one. The list begins at its first page again. */
  readonly set: (changes: { readonly [N in Name]?: string | undefined }) => void
  readonly clear: () => void
  readonly any: boolean
}

/** The filters that the browser keeps beside the URL. */
function unlistedOf(state: object): Search {
  const unlisted: unknown = Reflect.get(state, 'unlisted')
  return typeof unlisted === 'object' && unlisted !== null ? (unlisted as Search) : {}
}

/** Whether a text may be a phone number, or a part of one that is still being typed. */
export function mayBePhone(text: string): boolean {
  return /\p{Nd}/u.test(text) && !/\p{L}/u.test(text)
}

/**
 * Filters that live in the URL, so that a link shows the same list, and going back undoes a filter. Those that are `unlisted`
 * live beside it: browsers list URLs, also on a computer that a shop's people share.
 */
export function useUrlFilters<Name extends string>(
  names: readonly Name[],
  { unlisted = () => false }: { readonly unlisted?: (value: string, name: string) => boolean } = {},
): UrlFilters<Name> {
  const search = useUrlSearch()
  const navigate = useNavigate()
  const { state, isLeft } = usePageState()
  // A link that was written by hand may have any filter.
  const all: Search = { ...search, ...unlistedOf(state) }
  const given = names.flatMap((name) => {
    const value = all[name]
    return value === undefined || value === '' ? [] : [[name, value] as const]
  })
  const go = (next: Search) => {
    // A search waits for more letters: meanwhile the reader may have followed a link, where it means nothing.
    if (isLeft()) return
    const entries = Object.entries(next)
    const isBeside = ([name, value]: (typeof entries)[number]): boolean => value !== undefined && unlisted(value, name)
    const beside = Object.fromEntries(entries.filter(isBeside))
    const listed = Object.fromEntries(entries.filter((entry) => !isBeside(entry)))
    const to = { to: '.', search: asLinkSearch(listed), replace: false, resetScroll: false }
    void navigate({ ...to, state: (before) => ({ ...before, trail: [], unlisted: beside }) })
  }
  const withoutPage = Object.fromEntries(Object.entries(all).filter(([name]) => name !== 'after'))
  const isFilter = (name: string): boolean => names.some((one) => one === name)
  return {
    values: Object.fromEntries(given) as UrlFilters<Name>['values'],
    set: (changes) => go({ ...withoutPage, ...changes }),
    clear: () => go(Object.fromEntries(Object.entries(withoutPage).filter(([name]) => !isFilter(name)))),
    any: given.length > 0,
  }
}
