/** Customers with an account; `knownPhone` gives their phones. */
export const customerCount = 20_000

/** The phone of a customer who has an account. */
export const knownPhone = (customer: number): string => `51${String(customer).padStart(7, '0')}`

/**
 * The first of the numbers that are new to the service, and to pgbench, which each have as many numbers; and how many of
 * them each run may take, from the beginning again after the last.
 */
export const newPhones = { service: 530_000_000, pgbench: 565_000_000, run: 350_000 } as const

/** A phone that no run has taken before. */
export const newPhone = (run: number, turn: number): string => String(newPhones.service + run * newPhones.run + turn)

/** Begins the order numbers of a load: no other load has them. */
export const newRun = (): string => Math.random().toString(36).slice(2, 8)

/** The bytes of a request for the earning of a purchase. */
export function earningRequest(key: string, order_number: string, phone: string): Buffer {
  const body = JSON.stringify({
    phone_number: `+966${phone}`,
    total_price: 100,
    products: [{ product_name: 'Coffee', product_price: 50, quantity: 2 }],
    order_number,
  })
  return Buffer.from(
    `POST /api/v1/orders/earning HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${key}\r\n` +
      `content-type: application/json\r\naccept: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}

/** The bytes of a request for a page or an object. */
export function getRequest(path: string, headers = ''): Buffer {
  return Buffer.from(`GET ${path} HTTP/1.1\r\nhost: localhost\r\naccept: application/json\r\n${headers}\r\n`)
}
