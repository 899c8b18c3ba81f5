/** The result of one check: fine, or a problem with advice. */
export interface Finding {
  readonly check: string
  readonly ok: boolean
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
