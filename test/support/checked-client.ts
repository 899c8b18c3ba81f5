import { routes } from '../../src/routes.ts'
import { type Client, createClient } from '../http/client.ts'
import { contractOf } from './contract.ts'

const checkContract = contractOf(routes)

/** A client that checks every answer against the route table. */
export function createCheckedClient(port: number, ca: string): Client {
  const client = createClient(port, ca)
  return {
    ...client,
    async call(method, path, options) {
      const reply = await client.call(method, path, options)
      checkContract(method, path, reply)
      return reply
    },
  }
}
