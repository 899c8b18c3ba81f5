import { Button, Group, PasswordInput, Radio, SimpleGrid, Stack, Switch } from '@mantine/core'
import { type DataOf, send } from '../../api/client.ts'
import { useMerchant } from '../../app/merchant.ts'
import { Card } from '../../parts/card.tsx'
import { EditForm } from '../../parts/edit-form.tsx'
import { notifyDone } from '../../parts/notify.tsx'
import { Time } from '../../parts/time.tsx'
import { type Edit, useDraft } from '../../parts/use-draft.ts'
import { type Submit, useSubmit } from '../../parts/use-submit.ts'
import { useTexts } from '../../texts/texts.tsx'

export const paymentPath = '/merchants/{merchantId}/payment'
export type Payment = DataOf<typeof paymentPath, 'get'>
type Provider = Payment['provider']

type Credentials = Readonly<Record<string, string>>

interface Values {
  readonly provider: Provider
  readonly flow: Payment['flow']
  readonly methods: Payment['methods']
  readonly credentials: Credentials
}

interface Sent extends Edit<Values> {
  readonly remove?: 'paytabs' | 'moyasar'
}

function valuesOf({ provider, flow, methods }: Payment): Values {
  return { provider, flow, methods, credentials: {} }
}

/** Fields that are empty keep what is stored. */
const givenOf = (credentials: Credentials) =>
  Object.fromEntries(Object.entries(credentials).filter(([, value]) => value !== ''))

const hasAny = (credentials: Credentials): boolean => Object.keys(givenOf(credentials)).length > 0

export function ProviderForm({ saved }: { saved: Payment }) {
  const { t } = useTexts()
  const { merchantId, may } = useMerchant()
  const draft = useDraft(saved, valuesOf)
  const { values, begun, set } = draft
  const chosen = saved.providers.find(({ provider }) => provider === values.provider)
  const save = useSubmit({
    send: ({ version, values: { credentials, ...choice }, remove }: Sent) =>
      send('put', paymentPath, {
        params: { path: { merchantId } },
        body: {
          ...{ version, ...choice },
          ...(hasAny(credentials) ? { credentials: givenOf(credentials) } : {}),
          ...(remove === undefined ? {} : { remove_credentials: remove }),
        },
      }),
    done(now, sent) {
      draft.settle(now, sent.values)
      notifyDone(t('common.saved'))
    },
    stale: [paymentPath],
  })
  const changed =
    values.provider !== begun.provider ||
    values.flow !== begun.flow ||
    [...values.methods].sort().join() !== [...begun.methods].sort().join() ||
    hasAny(values.credentials)
  return (
    <EditForm
      of={save}
      draft={draft}
      may_change={may('change_keys')}
      changed={changed}
      fields={[
        { name: 'provider', label: t('settings.provider_title') },
        { name: 'flow', label: t('settings.flow') },
        { name: 'methods', label: t('settings.methods') },
      ]}
    >
      <Choice of={save} saved={saved} values={values} onChange={set} />
      <Methods chosen={values.methods} onChange={(methods) => set({ methods })} />
      {chosen === undefined || chosen.fields.length === 0 ? null : (
        <CredentialFields
          of={save}
          chosen={chosen}
          values={values.credentials}
          onChange={(credentials) => set({ credentials })}
          onRemove={
            chosen.own_credentials_since === null || chosen.provider === saved.provider
              ? undefined
              : () => save.submit({ ...draft.edit, remove: chosen.provider as 'paytabs' | 'moyasar' })
          }
        />
      )}
    </EditForm>
  )
}

function Choice({
  of,
  saved,
  values,
  onChange,
}: {
  of: Submit<Sent>
  saved: Payment
  values: Values
  onChange: (values: Values) => void
}) {
  const { t } = useTexts()
  const chosen = saved.providers.find(({ provider }) => provider === values.provider)
  const choose = (provider: Provider) => {
    const flows = saved.providers.find((one) => one.provider === provider)?.flows ?? []
    const flow = flows.includes(values.flow) ? values.flow : 'sale'
    onChange({ ...values, provider, flow, credentials: {} })
  }
  return (
    <Card title={t('settings.provider_title')} lead={t('settings.provider_lead')}>
      <Stack gap="lg">
        <Radio.Group
          aria-label={t('settings.provider_title')}
          value={values.provider}
          error={of.fieldError('provider')}
          onChange={(provider) => choose(provider as Provider)}
        >
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
            {saved.providers.map(({ provider }) => (
              <Radio
                size="md"
                key={provider}
                value={provider}
                label={t(`settings.provider_${provider}`)}
                description={t(`settings.provider_${provider}_hint`)}
              />
            ))}
          </SimpleGrid>
        </Radio.Group>
        <Radio.Group
          label={t('settings.flow')}
          value={values.flow}
          error={of.fieldError('flow')}
          onChange={(flow) => onChange({ ...values, flow: flow as Values['flow'] })}
        >
          <Stack gap="sm" mt="xs">
            {(['sale', 'two_step'] as const).map((flow) => (
              <Radio
                size="md"
                key={flow}
                value={flow}
                disabled={chosen?.flows.includes(flow) === false}
                label={t(`settings.flow_${flow}`)}
                description={t(`settings.flow_${flow}_hint`)}
              />
            ))}
          </Stack>
        </Radio.Group>
      </Stack>
    </Card>
  )
}

const all_methods: Payment['methods'] = [
  ...(['mada', 'visa', 'mastercard', 'american_express'] as const),
  ...(['apple_pay', 'google_pay', 'stc_pay', 'tabby', 'tamara'] as const),
]

/** What the payment page takes: customers see it before they go there. */
function Methods({
  chosen,
  onChange,
}: {
  chosen: Payment['methods']
  onChange: (methods: Payment['methods']) => void
}) {
  const { t } = useTexts()
  return (
    <Card title={t('settings.methods')} lead={t('settings.methods_lead')}>
      <SimpleGrid cols={{ base: 1, xs: 2, sm: 3 }} spacing="md">
        {all_methods.map((method) => (
          <Switch
            key={method}
            label={t(`settings.method_${method}`)}
            checked={chosen.includes(method)}
            onChange={() => onChange(all_methods.filter((one) => chosen.includes(one) !== (one === method)))}
          />
        ))}
      </SimpleGrid>
    </Card>
  )
}

function CredentialFields({
  of,
  chosen,
  values,
  onChange,
  onRemove,
}: {
  of: Submit<Sent>
  chosen: Payment['providers'][number]
  values: Credentials
  onChange: (values: Credentials) => void
  onRemove: (() => void) | undefined
}) {
  const { t } = useTexts()
  const { own_credentials_since: since, deployment_credentials, fields } = chosen
  const lead =
    since === null
      ? t(deployment_credentials ? 'settings.credentials_deployment' : 'settings.credentials_needed')
      : t.rich('settings.credentials_since', { since: <Time at={since} /> })
  return (
    <Card title={t('settings.credentials_title')} lead={lead}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        {fields.map((name) => (
          <PasswordInput
            key={name}
            label={t(`settings.field_${name as 'profile_id' | 'server_key' | 'secret_key' | 'webhook_secret'}`)}
            description={since === null ? undefined : t('settings.credentials_replace')}
            dir="ltr"
            autoComplete="off"
            maxLength={200}
            value={values[name] ?? ''}
            error={of.fieldError(`credentials.${name}`)}
            onChange={(event) => onChange({ ...values, [name]: event.currentTarget.value })}
          />
        ))}
      </SimpleGrid>
      {onRemove === undefined ? null : (
        <Group mt="lg">
          <Button variant="subtle" color="red" onClick={onRemove}>
            {t('settings.credentials_remove')}
          </Button>
        </Group>
      )}
    </Card>
  )
}
