/** The part of our OpenAPI description that the pages show. */
export interface ApiDescription {
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly tags: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly parameters: Readonly<Record<string, Parameter>> }
}

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: object
}

export interface Media {
  readonly schema: object
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>
}

export interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly security: readonly object[]
  readonly parameters: readonly (Parameter | { readonly $ref: string })[]
  readonly requestBody?: { readonly required: boolean; readonly content: { readonly 'application/json': Media } }
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content: { readonly 'application/json': Media } }>
  >
}

export interface Endpoint {
  readonly method: string
  /** Below `/api`, with `{names}`. */
  readonly path: string
  readonly operation: Operation
}

/** The endpoints of each tag, in the order of the description. */
export function endpointsByTag({ tags, paths }: ApiDescription): { tag: string; endpoints: Endpoint[] }[] {
  const all = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
  return tags.map(({ name }) => ({
    tag: name,
    endpoints: all.filter(({ operation }) => operation.tags.includes(name)),
  }))
}
