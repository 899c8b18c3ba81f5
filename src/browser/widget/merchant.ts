interface Colours {
  accent: string
  fill: string
  ink: string
}

/** What the service says about the merchant of a key. */
export interface Merchant {
  earns: boolean
  points_per_sar?: number
  checkout?: boolean
  card?: 'frame' | 'window'
  colours?: { light: Colours; dark: Colours }
}

const merchants = new Map<string, Promise<Merchant | null>>()

/** Asks once per URL, and again after a failure. Null for a key that is unknown or switched off. */
export const merchantAt = (url: string): Promise<Merchant | null> => {
  const known = merchants.get(url)
  if (known !== undefined) return known
  const fetched = fetch(url, { credentials: 'omit', referrerPolicy: 'no-referrer' })
    .then((answer) => answer.json())
    .then((merchant) => (typeof merchant.earns === 'boolean' ? merchant : null))
  merchants.set(url, fetched)
  fetched.catch(() => merchants.delete(url))
  return fetched
}
