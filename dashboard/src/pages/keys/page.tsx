import { Button, Stack, Switch, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type DataOf, send } from '../../api/client.ts'
import { ask } from '../../api/query.ts'
import { useMerchant } from '../../app/merchant.ts'
import { Card, Facts } from '../../parts/card.tsx'
import { ConfirmDialog } from '../../parts/confirm.tsx'
import { Copyable } from '../../parts/copy-button.tsx'
import { Icon } from '../../parts/icon.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { PageSkeleton } from '../../parts/page-skeleton.tsx'
import { SecretDialog } from '../../parts/secret-dialog.tsx'
import type { Shown } from '../../parts/secret-list.tsx'
import { StatusBadge } from '../../parts/status-badge.tsx'
import { Time } from '../../parts/time.tsx'
import { secretTurns } from '../../parts/use-awaits-secret.ts'
import { useSubmit } from '../../parts/use-submit.ts'
import { useTexts } from '../../texts/texts.tsx'

const path = '/merchants/{merchantId}/keys'
type Keys = DataOf<typeof path, 'get'>
type Which = 'private' | 'both'

/** The keys with which a shop calls the API. */
export function Page() {
  const { t } = useTexts()
  const { merchantId } = useMerchant()
  const { data } = useQuery(ask(path, { params: { path: { merchantId } } }))
  return (
    <>
      <PageHeader title={t('settings.keys')} lead={t('settings.keys_lead')} />
      {data === undefined ? <PageSkeleton /> : <KeyCards keys={data} />}
    </>
  )
}

function KeyCards({ keys }: { keys: Keys }) {
  const { t } = useTexts()
  const { may } = useMerchant()
  const [asked, setAsked] = useState<Which>()
  const [shown, setShown] = useState<readonly Shown[]>()
  const may_change = may('change_keys')
  const button = (which: Which) =>
    may_change ? (
      <Button variant="default" leftSection={<Icon name="refresh" size={18} />} onClick={() => setAsked(which)}>
        {t(`settings.replace_${which}`)}
      </Button>
    ) : undefined
  return (
    <Stack gap="lg">
      {may_change ? null : <Text c="dimmed">{t('common.reader')}</Text>}
      <Card title={t('settings.private_key')} lead={t('settings.private_key_lead')} actions={button('private')}>
        <Facts
          rows={[
            { label: t('settings.key_value'), value: <code dir="ltr">{`sk_${kindOf(keys)}_••••••••`}</code> },
            { label: t('settings.created'), value: <Time at={keys.private_key_created_at} /> },
          ]}
        />
      </Card>
      <Card title={t('settings.public_key')} lead={t('settings.public_key_lead')} actions={button('both')}>
        <Facts
          rows={[
            {
              label: t('settings.key_value'),
              value: <Copyable value={keys.public_key} what={t('settings.public_key')} />,
            },
            { label: t('settings.created'), value: <Time at={keys.created_at} /> },
          ]}
        />
      </Card>
      <PairSwitch keys={keys} disabled={!may_change} />
      <Regenerate which={asked} onClose={() => setAsked(undefined)} onShown={setShown} />
      <SecretDialog title={t('settings.new_keys')} secrets={shown} onClose={() => setShown(undefined)} />
    </Stack>
  )
}

function kindOf({ public_key }: Keys): string {
  return public_key.startsWith('pk_live_') ? 'live' : 'test'
}

function Regenerate({
  which,
  onClose,
  onShown,
}: {
  which: Which | undefined
  onClose: () => void
  onShown: (secrets: readonly Shown[]) => void
}) {
  const { t } = useTexts()
  const { merchantId } = useMerchant()
  const regenerate = useSubmit({
    turns: secretTurns,
    send: (which: Which, headers) =>
      send('post', '/merchants/{merchantId}/keys/regenerate', {
        params: { path: { merchantId } },
        headers,
        body: { which },
      }),
    done: ({ public_key, private_key }, replaced) => {
      onClose()
      const pair = { label: t('settings.private_key'), value: private_key }
      onShown(replaced === 'private' ? [pair] : [pair, { label: t('settings.public_key'), value: public_key }])
    },
    stale: [path],
  })
  return (
    <ConfirmDialog
      opened={which !== undefined}
      onClose={onClose}
      title={t(which === 'both' ? 'settings.replace_both_title' : 'settings.replace_private_title')}
      label={t(which === 'both' ? 'settings.replace_both' : 'settings.replace_private')}
      of={regenerate}
      onConfirm={() => which !== undefined && regenerate.submit(which)}
      danger
    >
      {t(which === 'both' ? 'settings.replace_both_warning' : 'settings.replace_private_warning')}
    </ConfirmDialog>
  )
}

function PairSwitch({ keys, disabled }: { keys: Keys; disabled: boolean }) {
  const { t } = useTexts()
  const { merchantId } = useMerchant()
  const [asked, setAsked] = useState(false)
  const change = useSubmit({
    send: (status: boolean) => send('patch', path, { params: { path: { merchantId } }, body: { status } }),
    done: () => setAsked(false),
    stale: [path],
  })
  return (
    <Card title={t('settings.pair_title')} lead={t('settings.pair_lead')}>
      <Switch
        label={<StatusBadge status={keys.status ? 'active' : 'off'} />}
        aria-label={t('settings.pair_title')}
        checked={keys.status}
        disabled={disabled || change.pending}
        onChange={() => (keys.status ? setAsked(true) : change.submit(true))}
      />
      <ConfirmDialog
        opened={asked}
        onClose={() => setAsked(false)}
        title={t('settings.switch_off_title')}
        label={t('settings.switch_off')}
        of={change}
        onConfirm={() => change.submit(false)}
        danger
      >
        {t('settings.switch_off_warning')}
      </ConfirmDialog>
    </Card>
  )
}
