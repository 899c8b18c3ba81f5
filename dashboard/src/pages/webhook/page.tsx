import { Button, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { send } from '../../api/client.ts'
import { nothingHere } from '../../api/failure.ts'
import { ask } from '../../api/query.ts'
import { useMerchant, usePathParam } from '../../app/merchant.ts'
import { Card } from '../../parts/card.tsx'
import { ConfirmDialog } from '../../parts/confirm.tsx'
import { EditForm } from '../../parts/edit-form.tsx'
import { notifyDone } from '../../parts/notify.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { BackLink, PageButton, usePath } from '../../parts/page-link.tsx'
import { PageSkeleton } from '../../parts/page-skeleton.tsx'
import { type Edit, useDraft } from '../../parts/use-draft.ts'
import { useSubmit } from '../../parts/use-submit.ts'
import { useTexts } from '../../texts/texts.tsx'
import { ReplayCard } from './replay-card.tsx'
import { SecretCard } from './secret-card.tsx'
import { TestButton } from './test-button.tsx'
import { type Webhook, webhooks_path } from './webhook.ts'

const path = '/merchants/{merchantId}/webhooks/{uuid}'

/** One webhook: where it leads, its secret, and what can be sent again. */
export function Page() {
  const { merchantId } = useMerchant()
  const uuid = usePathParam('uuid')
  const { data } = useQuery(ask(webhooks_path, { params: { path: { merchantId } } }))
  if (data === undefined) return <PageSkeleton />
  const webhook = (data as readonly Webhook[]).find((one) => one.uuid === uuid)
  if (webhook === undefined) throw nothingHere()
  return <WebhookPage webhook={webhook} />
}

function WebhookPage({ webhook }: { webhook: Webhook }) {
  const { t } = useTexts()
  const { may } = useMerchant()
  const may_change = may('change_settings')
  return (
    <>
      <PageHeader
        title={webhook.name}
        above={<BackLink to="webhooks">{t('webhooks.name')}</BackLink>}
        actions={
          <>
            <PageButton to="deliveries" search={{ webhook: webhook.uuid }} variant="default">
              {t('deliveries.name')}
            </PageButton>
            {may_change ? <TestButton uuid={webhook.uuid} /> : null}
          </>
        }
      />
      <Stack gap="lg">
        <TargetForm webhook={webhook} />
        <SecretCard webhook={webhook} />
        {may_change ? <ReplayCard uuid={webhook.uuid} /> : null}
        {may_change ? <DeleteCard webhook={webhook} /> : null}
      </Stack>
    </>
  )
}

type Target = Pick<Webhook, 'name' | 'url'>

const targetOf = ({ name, url }: Webhook): Target => ({ name, url })

function TargetForm({ webhook }: { webhook: Webhook }) {
  const { t } = useTexts()
  const { merchantId, may } = useMerchant()
  const draft = useDraft(webhook, targetOf)
  const { values, set } = draft
  const save = useSubmit({
    send: ({ version, values }: Edit<Target>) =>
      send('patch', path, { params: { path: { merchantId, uuid: webhook.uuid } }, body: { version, ...values } }),
    done(now, sent) {
      draft.settle(now, sent.values)
      notifyDone(t('common.saved'))
    },
    stale: [webhooks_path],
  })
  return (
    <EditForm
      of={save}
      draft={draft}
      may_change={may('change_settings')}
      fields={[
        { name: 'name', label: t('webhooks.webhook_name') },
        { name: 'url', label: t('webhooks.url') },
      ]}
    >
      <Card title={t('webhooks.target')}>
        <Stack gap="md">
          <TextInput
            label={t('webhooks.webhook_name')}
            maxLength={255}
            value={values.name}
            error={save.fieldError('name')}
            onChange={(event) => set({ name: event.currentTarget.value })}
          />
          <TextInput
            label={t('webhooks.url')}
            description={t('webhooks.url_hint')}
            type="url"
            dir="ltr"
            maxLength={500}
            value={values.url}
            error={save.fieldError('url')}
            onChange={(event) => set({ url: event.currentTarget.value })}
          />
        </Stack>
      </Card>
    </EditForm>
  )
}

function DeleteCard({ webhook: { uuid, name } }: { webhook: Webhook }) {
  const { t } = useTexts()
  const { merchantId } = useMerchant()
  const navigate = useNavigate()
  const to = usePath()
  const [asked, setAsked] = useState(false)
  const remove = useSubmit({
    send: () => send('delete', path, { params: { path: { merchantId, uuid } } }),
    done: async () => {
      await navigate({ to: to('webhooks'), ignoreBlocker: true })
      notifyDone(t('webhooks.deleted'))
    },
  })
  return (
    <Card
      title={t('webhooks.delete')}
      lead={t('webhooks.delete_lead')}
      actions={
        <Button color="red" variant="light" onClick={() => setAsked(true)}>
          {t('webhooks.delete')}
        </Button>
      }
    >
      <ConfirmDialog
        opened={asked}
        onClose={() => setAsked(false)}
        title={t('webhooks.delete_title')}
        label={t('webhooks.delete')}
        of={remove}
        onConfirm={() => remove.submit()}
        danger
      >
        {t.rich('webhooks.delete_warning', { name: <bdi>{name}</bdi> })}
      </ConfirmDialog>
    </Card>
  )
}
