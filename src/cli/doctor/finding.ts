/** What one check found: all is well, or a problem with what to do about it. */
export interface Finding {
  readonly check: string
  readonly ok: boolean
  /** What was found, in a few words. */
  readonly detail: string
  /** Only with a problem. */
  readonly advice?: string
}

export function ok(check: string, detail: string): Finding {
  return { check, ok: true, detail }
}

export function problem(check: string, detail: string, advice: string): Finding {
  return { check, ok: false, detail, advice }
}
