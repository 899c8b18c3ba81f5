import { generateSync } from 'otplib'

/** What an authenticator app shows for a secret. */
export interface CodeApp {
  /** A code that was not given before. It is taken for at least the next 15 seconds. */
  readonly next: () => string
}

const period_s = 30

/**
 * An authenticator app. Its first two codes can be given at once: the service takes the codes of the half minutes before
 * and after, so the first is the oldest that is still taken for a while.
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
