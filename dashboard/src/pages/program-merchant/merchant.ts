import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { type DataOf, send } from '../../api/client.ts'
import { ApiFailure } from '../../api/failure.ts'
import { ask } from '../../api/query.ts'
import { useMerchant } from '../../app/merchant.ts'
import { useProgram } from '../../app/program.ts'
import { useSubmit } from '../../parts/use-submit.ts'

export const merchant_path = '/programs/{programId}/merchants/{merchantId}'
/** Answers that a change of a merchant makes stale. */
export const stale_paths = [
  merchant_path,
  '/programs/{programId}/merchants',
  '/programs/{programId}/overview',
  '/merchants/{merchantId}',
]

export type Reviewed = DataOf<typeof merchant_path, 'get'>
export type Paper = Reviewed['documents'][number]

/** The path's parameters, as every request about the merchant takes them. */
export function useParamsOfMerchant() {
  const { programId } = useProgram()
  const { merchantId } = useMerchant()
  return { path: { programId, merchantId } }
}

export function useReviewed(): Reviewed {
  const params = useParamsOfMerchant()
  return useSuspenseQuery(ask(merchant_path, { params })).data
}

export type StandingChange = Omit<Parameters<typeof changeStanding>[1], 'version'>

function changeStanding(
  params: ReturnType<typeof useParamsOfMerchant>,
  body: {
    version: string
    verified?: boolean
    published?: boolean
    key_status?: boolean
    flows?: { earning?: boolean; checkout?: boolean; product_rating?: boolean; store_rating?: boolean }
  },
) {
  return send('patch', merchant_path, { params, body })
}

/** Changes where the merchant stands, on top of what is shown. */
export function useStandingChange(done?: () => void) {
  const params = useParamsOfMerchant()
  const shown = useReviewed()
  const client = useQueryClient()
  return useSubmit({
    send(change: StandingChange) {
      // The change before may have brought another version, which is not drawn yet.
      const { version } = (client.getQueryData(ask(merchant_path, { params }).queryKey) ?? shown).standing
      return changeStanding(params, { version, ...change }).catch(async (error: unknown) => {
        // Somebody else changed it first: show that, so that the next press is on top of it.
        if (error instanceof ApiFailure && error.current !== undefined)
          await client.invalidateQueries({ queryKey: [merchant_path] })
        throw error
      })
    },
    ...(done === undefined ? {} : { done }),
    stale: stale_paths,
    turns: 'standing',
  })
}
