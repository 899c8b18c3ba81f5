import { useQuery } from '@tanstack/react-query'
import { useOpenMerchant } from '../app/merchant.ts'
import { useOpenProgram } from '../app/program.ts'
import { type FoundGroup, findAtMerchant, findMerchants } from './search-source.ts'

interface Finds {
  readonly data: readonly FoundGroup[] | undefined
  readonly isFetching: boolean
  /** Null unless the search has failed. */
  readonly error: Error | null
}

/** Searches the open merchant, else the open program or the whole service. */
export function useFound(q: string): Finds {
  const merchant = useOpenMerchant()
  const program = useOpenProgram()
  const atMerchant = findAtMerchant(merchant?.merchantId ?? 0, q)
  const merchants = findMerchants(program?.programId, q)
  const ofMerchant = useQuery({ ...atMerchant, enabled: merchant !== undefined && atMerchant.enabled === true })
  const ofProgram = useQuery({ ...merchants, enabled: merchant === undefined && merchants.enabled === true })
  return merchant === undefined ? ofProgram : ofMerchant
}
