/**
 * The secret of a webhook, and the one that is planned to replace it. Times are the machine's clock.
 * docs/spec/webhooks.md#secret
 */

/** A sealed secret and the last four characters that may be shown of it. */
export interface SealedSecret {
  readonly secret: Buffer
  readonly secret_last4: string
}

/** What may be shown of a webhook's secrets. */
export interface ShownSecrets {
  readonly secret_last4: string
  /** Of the planned secret; null where none is planned. */
  readonly next_secret_last4: string | null
  /** From then on deliveries carry the planned secret. */
  readonly next_secret_at: Date | null
}

/** The secrets of a webhook as they are stored. */
export interface WebhookSecrets extends ShownSecrets, SealedSecret {
  readonly next_secret: Buffer | null
}

/** The secrets of a new webhook. */
export function firstSecret(made: SealedSecret): WebhookSecrets {
  return { ...made, next_secret: null, next_secret_last4: null, next_secret_at: null }
}

/** Gives the secret that an attempt carries at `now`: the planned one once its time has come. */
export function currentSecret(webhook: WebhookSecrets, now: Date): SealedSecret {
  const { secret, secret_last4, next_secret, next_secret_last4 } = webhook
  return isReplaced(webhook, now) && next_secret !== null && next_secret_last4 !== null
    ? { secret: next_secret, secret_last4: next_secret_last4 }
    : { secret, secret_last4 }
}

/** Gives when a planned secret replaces the current one; null where none waits at `now`. */
export function nextSecretFrom({ next_secret_at }: Pick<ShownSecrets, 'next_secret_at'>, now: Date): Date | null {
  return next_secret_at !== null && next_secret_at > now ? next_secret_at : null
}

/** Gives the mask of the secret that an attempt carries at `now`. */
export function maskedSecret(webhook: ShownSecrets, now: Date): string {
  const { secret_last4, next_secret_last4 } = webhook
  return maskOf((isReplaced(webhook, now) ? next_secret_last4 : null) ?? secret_last4)
}

/** Gives the text that is shown for a secret by its last four characters. */
export function maskOf(last4: string): string {
  return `****${last4}`
}

/** Replaces the secret from `at` on: at once if that is not after `now`, else by a plan. A former plan is dropped. */
export function replaceSecret(was: WebhookSecrets, made: SealedSecret, at: Date, now: Date): WebhookSecrets {
  if (at <= now) return firstSecret(made)
  const planned = { next_secret: made.secret, next_secret_last4: made.secret_last4, next_secret_at: at }
  return { ...currentSecret(was, now), ...planned }
}

function isReplaced({ next_secret_at }: ShownSecrets, now: Date): boolean {
  return next_secret_at !== null && next_secret_at <= now
}
