import { Alert, Button, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { RowOf } from '../../api/client.ts'
import { ask } from '../../api/query.ts'
import { useMerchant } from '../../app/merchant.ts'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { Icon } from '../../parts/icon.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { PageButton } from '../../parts/page-link.tsx'
import { SecretDialog } from '../../parts/secret-dialog.tsx'
import type { Shown } from '../../parts/secret-list.tsx'
import { Time } from '../../parts/time.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { CreateDialog } from './create-dialog.tsx'

export const webhooksPath = '/merchants/{merchantId}/webhooks'
type Webhook = RowOf<typeof webhooksPath>

const most = 20
const onePage = { query: {}, toFirst: undefined, toPrevious: undefined, toNext: () => undefined }

/** Where events are sent. */
export function Page() {
  const { t } = useTexts()
  const { merchantId, may } = useMerchant()
  const { data, isPlaceholderData } = useQuery(ask(webhooksPath, { params: { path: { merchantId } } }))
  const [creating, setCreating] = useState(false)
  const [shown, setShown] = useState<readonly Shown[]>()
  const rows = data as readonly Webhook[] | undefined
  const create =
    may('change_settings') && (rows?.length ?? 0) < most ? (
      <Button leftSection={<Icon name="plus" size={18} />} onClick={() => setCreating(true)}>
        {t('webhooks.create')}
      </Button>
    ) : undefined
  const columns: readonly Column<Webhook>[] = [
    { name: 'name', header: t('webhooks.webhook_name'), title: true, cell: ({ name }) => <bdi>{name}</bdi> },
    {
      name: 'url',
      header: t('webhooks.url'),
      cell: ({ url }) => (
        <code dir="ltr" style={{ overflowWrap: 'anywhere' }}>
          {url}
        </code>
      ),
    },
    { name: 'secret', header: t('webhooks.secret'), cell: ({ secret }) => <code dir="ltr">{secret}</code> },
    {
      name: 'created',
      header: t('webhooks.created'),
      wideOnly: true,
      cell: ({ created_at }) => <Time at={created_at} style="date" />,
    },
  ]
  return (
    <>
      <PageHeader
        title={t('webhooks.name')}
        lead={t('webhooks.lead')}
        actions={
          <>
            <PageButton to="deliveries" variant="default">
              {t('deliveries.name')}
            </PageButton>
            {rows?.length === 0 ? null : create}
          </>
        }
      />
      <Stack gap="lg">
        {rows === undefined || rows.length === 0 ? null : (
          <Alert variant="light" color="brand" icon={<Icon name="webhook" />} title={t('webhooks.advice_title')}>
            {t(rows.length > 2 ? 'webhooks.advice_many' : 'webhooks.advice')}
          </Alert>
        )}
        <DataTable
          label={t('webhooks.name')}
          query={{ data: rows === undefined ? undefined : { rows, next: null }, isPlaceholderData }}
          columns={columns}
          rowKey={({ uuid }) => uuid}
          rowTo={({ uuid }) => `webhooks/${uuid}`}
          paging={onePage}
          empty={
            <EmptyState
              icon="webhook"
              title={t('webhooks.empty')}
              lesson={t(create === undefined ? 'common.reader' : 'webhooks.empty_lesson')}
              detail={t('webhooks.advice')}
              action={create}
            />
          }
        />
      </Stack>
      <CreateDialog
        opened={creating}
        onClose={() => setCreating(false)}
        onCreated={(secret) => {
          setCreating(false)
          setShown([{ label: t('webhooks.secret'), value: secret }])
        }}
      />
      <SecretDialog title={t('webhooks.new_secret')} secrets={shown} onClose={() => setShown(undefined)} />
    </>
  )
}
