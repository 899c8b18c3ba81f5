import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { bin, type Ended, nuqta, readClientEnv, type Served, serve } from '../cli/command.ts'
import type { CallOptions, Client, Reply } from '../http/client.ts'
import { createCheckedClient } from '../support/checked-client.ts'
import { secret_key } from '../support/secret-key.ts'

/** A real `nuqta serve` in a process of its own, and a client of it. */
export interface Service extends Served {
  readonly port: number
  readonly ca: string
  readonly client: Client
  /** The demo merchant's keys. */
  readonly keys: { readonly public_key: string; readonly private_key: string }
  /** Runs a command on the same deployment, beside it. */
  command(args: readonly string[]): Promise<Ended>
  /** Makes a merchant by the command, who may earn. */
  merchant(name: string, flags?: readonly string[]): Promise<MadeMerchant>
  earn(key: string, body: unknown, options?: CallOptions): Promise<Reply>
  getOrder(key: string, uuid: unknown, options?: CallOptions): Promise<Reply>
}

export interface MadeMerchant {
  readonly merchant_id: number
  readonly name: string
  readonly public_key: string
  readonly private_key: string
}

export interface ServiceOptions {
  /** A folder of the test's own. */
  readonly home: string
  /** The data directory in it. */
  readonly name?: string
  /** An external database; without it the service has its own. */
  readonly database?: { readonly url: string; readonly owner_url: string }
  readonly env?: Readonly<Record<string, string>>
  /** Another `bin/nuqta` than this project's. */
  readonly program?: string
}

export const earning_path = '/api/v1/orders/earning'

/** For tests that send an order number again: no test may end later than the window does, on a busy machine either. */
export const lock_window_s = 86_400
export const longLockWindow = { NUQTA_LOCK_WINDOW_S: String(lock_window_s) }

/** Expects a refusal of a repeated order number to name what is left of the window: nearly all of it. */
export function expectNearlyWholeWindow({ headers }: Reply): void {
  const wait_s = Number(headers['retry-after'])
  expect(wait_s).toBeGreaterThan(lock_window_s - 3_600)
  expect(wait_s).toBeLessThanOrEqual(lock_window_s)
}

/** Starts the service and waits until it is ready. The folder's `scratch` ends what a test leaves running. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { home, name = 'data', database, env = {}, program = bin } = options
  const settings = {
    ...(database === undefined ? {} : databaseSettings(database)),
    ...env,
  }
  const run = { cwd: home, env: settings }
  const data_dir = ['--data-dir', join(home, name)]
  const served = await serve(data_dir, { ...run, program })
  const known = readClientEnv(join(home, name, 'sandbox.env'))
  const ca = readFileSync(known.NUQTA_CA, 'utf8')
  const port = Number(new URL(known.NUQTA_BASE_URL).port)
  const client = createCheckedClient(port, ca)
  const command = (args: readonly string[]) => nuqta([...args, ...data_dir], run)
  return {
    ...served,
    port,
    ca,
    client,
    keys: { public_key: known.NUQTA_PUBLIC_KEY, private_key: known.NUQTA_PRIVATE_KEY },
    command,
    merchant: (called, flags = []) => makeMerchant(command, called, flags),
    earn: (key, body, options = {}) => client.call('POST', earning_path, { key, json: body, ...options }),
    getOrder: (key, uuid, options = {}) => client.call('GET', `/api/v1/orders/${String(uuid)}`, { key, ...options }),
    end(signal) {
      client.close()
      return served.end(signal)
    },
  }
}

function databaseSettings({ url, owner_url }: { readonly url: string; readonly owner_url: string }) {
  const secret = { NUQTA_SECRET_KEY: secret_key }
  return { DATABASE_URL: url, NUQTA_MIGRATION_URL: owner_url, ...secret }
}

async function makeMerchant(
  command: Service['command'],
  name: string,
  flags: readonly string[],
): Promise<MadeMerchant> {
  const made = await command(['merchant', 'create', '--name', name, '--verified', '--published', '--json', ...flags])
  const [merchant] = made.json
  if (made.code !== 0 || merchant === undefined) throw new Error(`no merchant was made: ${made.stderr}`)
  return merchant as unknown as MadeMerchant
}

/** The rows of a text table: cells between bars, trimmed; lines without a bar are headings. */
export function cellsOf(table: string): string[][] {
  const lines = table.split('\n').filter((line) => line.includes('|'))
  return lines.map((line) => line.split('|').map((cell) => cell.trim()))
}
