import { api_prefix, askedIn } from './client.ts'
import { failureOf, unreachable } from './failure.ts'

/** Reads a file whole. @param path below the API, with its query */
export async function readFile(path: string): Promise<{ readonly name: string; readonly content: Blob }> {
  const lost = (): never => {
    throw unreachable()
  }
  const headers = { 'accept-language': askedIn() }
  const response = await fetch(`${api_prefix}${path}`, { headers, credentials: 'same-origin' }).catch(lost)
  if (!response.ok) throw failureOf(response, await response.json().catch(() => null))
  const name = /filename="(.+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1]
  return { name: name ?? 'download', content: await response.blob().catch(lost) }
}
