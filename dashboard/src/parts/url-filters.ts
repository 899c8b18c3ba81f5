import { useNavigate, useSearch } from '@tanstack/react-router'
import { asLinkSearch, type Search } from '../app/search.ts'

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

/** Filters that live in the URL, so that a link shows the same list, and going back undoes a filter. */
export function useUrlFilters<Name extends string>(names: readonly Name[]): UrlFilters<Name> {
  const search = useUrlSearch()
  const navigate = useNavigate()
  const given = names.flatMap((name) => {
    const value = search[name]
    return value === undefined || value === '' ? [] : [[name, value] as const]
  })
  const go = (next: Search) =>
    void navigate({ to: '.', search: asLinkSearch(next), replace: false, resetScroll: false })
  const withoutPage = Object.fromEntries(Object.entries(search).filter(([name]) => name !== 'after'))
  const isFilter = (name: string): boolean => names.some((one) => one === name)
  return {
    values: Object.fromEntries(given) as UrlFilters<Name>['values'],
    set: (changes) => go({ ...withoutPage, ...changes }),
    clear: () => go(Object.fromEntries(Object.entries(withoutPage).filter(([name]) => !isFilter(name)))),
    any: given.length > 0,
  }
}
