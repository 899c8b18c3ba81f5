import { generateSync } from 'otplib'

/** An authenticator app with one secret. */
export interface CodeApp {
  /** Gives a new code. The service accepts it for at least the next 15 seconds. */
  readonly next: () => string
}

const period_s = 30

/**
 * An authenticator app. Its first two codes need no waiting: the service accepts the codes of the half minutes before
 * and after, so the first code is the oldest one that stays valid for a while.
 */
export function codeApp(secret: string): CodeApp {
  let last = Number.NEGATIVE_INFINITY
  return {
    next() {
      const now_s = Math.floor(Date.now() / 1000)
      last = Math.max(last + 1, Math.floor((now_s - period_s / 2) / period_s))
      return generateSync({ secret, epoch: last * period_s })
    },
  }
}
