import { describe, expect, it } from 'vitest'
import { buildOpenApi } from '../../src/http/api/openapi.ts'
import { routes } from '../../src/routes.ts'

// The bodies in the API description, which generated clients rely on.

type Json = { readonly [name: string]: Json } & { readonly [index: number]: Json }

const description = buildOpenApi(routes) as unknown as Json

function at(...path: readonly string[]): Json {
  let value = description
  for (const name of path) value = value[name] as Json
  return value
}

const operation = (path: string, method = 'post') => at('paths', path, method)
const bodyOf = (path: string, method?: string) =>
  operation(path, method)['requestBody']?.['content']?.['application/json']?.['schema'] as Json
const orderOf = (path: string) =>
  operation(path, 'get')['responses']?.['200']?.['content']?.['application/json']?.['schema']?.['properties']?.[
    'data'
  ] as Json

const checkout = bodyOf('/v1/orders/checkout/{publicKey}')['properties'] as Json
const earning = bodyOf('/v1/orders/earning')['properties'] as Json

describe('fields', () => {
  it('`type` of an order is an integer', () => {
    expect(orderOf('/v1/orders/{orderUuid}')['properties']?.['type']).toMatchObject({ type: 'integer', enum: [1, 2] })
  })

  it('that may be blank have no minimum length, but required ones have', () => {
    const optional = ['phone_number', 'name', 'callback_url']
    for (const name of optional) expect([name, Object.keys(checkout[name] ?? {})]).not.toContain('minLength')
    for (const name of optional) expect(checkout[name]).not.toHaveProperty('minLength')
    expect(checkout['order_number']).toMatchObject({ minLength: 1 })
    expect(earning['phone_number']).toMatchObject({ minLength: 1 })
    expect(bodyOf('/v1/orders/{orderUuid}/cancel')['properties']?.['reason']).not.toHaveProperty('minLength')
  })

  it('with URLs have the format `uri`', () => {
    expect(checkout['callback_url']).toMatchObject({ format: 'uri', maxLength: 2_048 })
    expect(bodyOf('/v1/webhooks')['properties']?.['url']).toMatchObject({ format: 'uri', maxLength: 500 })
    const answer = operation('/v1/orders/checkout/{publicKey}')['responses']?.['200']?.['content']?.['application/json']
    expect(answer?.['schema']?.['properties']?.['data']?.['properties']?.['checkout_url']).toMatchObject({
      format: 'uri',
    })
  })

  it('of an address have types, and lists and names have bounds', () => {
    for (const { shipping_address } of [checkout, earning]) {
      expect(shipping_address).toMatchObject({
        additionalProperties: true,
        properties: {
          city: { type: ['string', 'null'], maxLength: 100 },
          line1: { type: ['string', 'null'], maxLength: 255 },
        },
      })
    }
    expect(earning['products']).toMatchObject({ minItems: 1, maxItems: 1_000 })
    expect(earning['products']?.['items']?.['properties']?.['product_name']).toMatchObject({ maxLength: 500 })
    const stored = orderOf('/v1/orders/{orderUuid}')['properties']?.['items']?.['items']?.['properties']
    expect(stored?.['product_name'], 'what is stored may be older than the bound').not.toHaveProperty('maxLength')
  })
})

describe('bodies', () => {
  it.each([
    ['/v1/orders/{orderUuid}/status', 'post', ['status', 'name_ar', 'name_en']],
    ['/v1/webhooks/{uuid}', 'put', ['name', 'url']],
    ['/v1/webhooks/{uuid}', 'patch', ['name', 'url']],
    ['/v1/integration/status', 'post', ['integration_active', 'active']],
  ])('%s %s says that it needs at least one field', (path, method, names) => {
    const any = bodyOf(path, method)['anyOf'] as unknown as { required: string[] }[]
    expect(any.flatMap(({ required }) => required)).toEqual(names)
  })

  it.each(['authorize', 'capture'])('of %s, which needs none, have the 422 that the service gives', (action) => {
    const refusal = operation(`/v1/orders/{orderUuid}/${action}`)['responses']?.['422'] as Json
    expect(refusal['description']).toMatch(/not an object/)
    const example = refusal['content']?.['application/json']?.['examples']?.['validation']?.['value']
    expect(example).toMatchObject({ errors: { body: ['The body must be an object.'] } })
  })

  it('have an example of a 422 with one of their fields', () => {
    for (const { method, path, body } of routes) {
      if (body === undefined) continue
      const described = operation(path.replaceAll(/:(\w+)/g, '{$1}'), method.toLowerCase())
      const example = described['responses']?.['422']?.['content']?.['application/json']?.['examples']?.['validation']
      const [field = ''] = Object.keys((example?.['value']?.['errors'] ?? {}) as object)
      expect(Object.keys(Reflect.get(body, 'properties')), path).toContain(field.split('.')[0])
    }
  })
})
