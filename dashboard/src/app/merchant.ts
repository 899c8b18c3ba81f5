import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { Permission } from '../../../src/domain/staff.ts'
import { nothingHere } from '../api/failure.ts'
import { type MerchantFacts, merchantOptions, type Session, sessionOptions } from '../api/session.ts'
import { useTexts } from '../texts/texts.tsx'
import { nameIn } from './names.ts'

export interface CurrentMerchant extends MerchantFacts {
  /** As the API's paths take it: `{ params: { path: { merchantId } } }`. */
  readonly merchantId: number
  /** What the reader may do here; pages hide what the service would refuse. */
  may(permission: Permission): boolean
}

/** The merchant whose page is open. Only for pages below `/m/…`. */
export function useMerchant(): CurrentMerchant {
  const merchantId = idOf(usePathParam('merchantId'))
  return asCurrent(useSuspenseQuery(merchantOptions(merchantId)).data, useTexts().locale)
}

/** The same for the frame around the page: undefined while there is none, or none that the reader may see. */
export function useOpenMerchant(): CurrentMerchant | undefined {
  const { merchantId = '', programId } = useParams({ strict: false })
  // The path of a program's page can name a merchant too, but that page belongs to the program.
  const isId = programId === undefined && id_shape.test(merchantId)
  const { data } = useQuery({ ...merchantOptions(Number(merchantId)), enabled: isId, throwOnError: false })
  const { locale } = useTexts()
  // The cache may hold the answer of another page, even when this query is off.
  return isId && data !== undefined ? asCurrent(data, locale) : undefined
}

/** `name` is the one of the reader's language. */
function asCurrent(facts: MerchantFacts, locale: string): CurrentMerchant {
  const { merchant_id: merchantId, permissions } = facts
  return { ...facts, merchantId, name: nameIn(facts, locale), may: (permission) => permissions.includes(permission) }
}

const id_shape = /^[1-9]\d{0,14}$/

/** Reads the merchant or program of a URL. A text that is no number names none. */
export function idOf(text: string): number {
  if (id_shape.test(text)) return Number(text)
  throw nothingHere()
}

/** The reader's session. Only for pages that require a sign-in. */
export function useSession(): Session {
  return useSuspenseQuery(sessionOptions).data
}

/** A parameter of the page's path, such as `orderUuid`. */
export function usePathParam(name: string): string {
  const params: Readonly<Record<string, string | undefined>> = useParams({ strict: false })
  const value = params[name]
  if (value === undefined) throw new Error(`the path of this page has no ${name}`)
  return value
}
