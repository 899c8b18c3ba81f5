import type { RowOf } from '../../api/client.ts'

export type Operator = RowOf<'/operator/people'>

/** What the reader has asked for, about one of them or a new one. */
export type Asked = { readonly does: 'create' } | { readonly does: 'recover' | 'switch'; readonly operator: Operator }
