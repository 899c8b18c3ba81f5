/** The one validated, frozen configuration of a process (settings-and-commands, "Settings"). */

export type Environment = 'sandbox' | 'production'
export type Role = 'all' | 'api' | 'worker'

export interface Config {
  readonly environment: Environment
  readonly role: Role
  /** Absolute path. */
  readonly data_dir: string
  /** `undefined` means the embedded PostgreSQL in `data_dir`. */
  readonly database_url: string | undefined
  /** The owner's role; equals `database_url` unless set. */
  readonly migration_url: string | undefined
  readonly host: string
  readonly port: number
  /** Without a trailing slash; what links begin with. */
  readonly public_url: string
  /** PEM texts, or `undefined` for the local authority. */
  readonly tls: { readonly cert: string; readonly key: string } | undefined
  /** Addresses and CIDR ranges of TLS-terminating proxies; empty means none. */
  readonly trust_proxy: readonly string[]
  readonly metrics_port: number | undefined
  readonly log_level: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'
  readonly lock_window_s: number
  readonly checkout_ttl_s: number
}
