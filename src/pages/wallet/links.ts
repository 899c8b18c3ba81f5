import type { PageRequest } from '../../http/pages/page.ts'

type Query = Readonly<Record<string, string>>

/** A page of the wallet, or the terms, in the program that the reader has named; without one it is the deployment's first. */
export function walletLink({ query }: Pick<PageRequest, 'query'>, path: string, more: Query = {}): string {
  const { program } = query
  const all = new URLSearchParams({ ...(program === undefined ? {} : { program }), ...more }).toString()
  return all === '' ? path : `${path}?${all}`
}
