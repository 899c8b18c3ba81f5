import { Button, Skeleton, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type RowOf, send } from '../../api/client.ts'
import { ask } from '../../api/query.ts'
import { refreshSession } from '../../api/session.ts'
import { AskToLeave } from '../../parts/ask-to-leave.tsx'
import { Card } from '../../parts/card.tsx'
import { ConfirmDialog } from '../../parts/confirm.tsx'
import { Form } from '../../parts/form.tsx'
import { Icon } from '../../parts/icon.tsx'
import { loadPasskeys } from '../../parts/load-passkeys.ts'
import { notifyDone } from '../../parts/notify.tsx'
import { Time } from '../../parts/time.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { useTexts } from '../../texts/texts.tsx'
import classes from './account.module.css'
import { RecoveryCodes } from './recovery-codes.tsx'

const stale = ['/account', '/account/passkeys', '/sessions']

/** Each change renews the session, and the next one needs its new token. */
const turns = 'passkeys'

/** Keys of devices that sign the person in. */
export function Passkeys() {
  const { t } = useTexts()
  const { data: passkeys } = useQuery(ask('/account/passkeys'))
  const [name, setName] = useState('')
  const [codes, setCodes] = useState<readonly string[]>([])
  const add = useSubmit({
    send: () => addPasskey(name.trim()),
    stale,
    turns,
    async done({ recovery_codes }) {
      setName('')
      setCodes(recovery_codes)
      await refreshSession()
      notifyDone(t('account.passkey_added'))
    },
  })
  const isOwn = add.error !== undefined && add.failure === undefined
  return (
    <Card title={t('account.passkeys')} lead={t('account.passkeys_lead')}>
      <Stack gap="md">
        <List passkeys={passkeys} />
        {'PublicKeyCredential' in window ? (
          <Form
            of={isOwn ? { ...add, error: t('account.passkey_failed') } : add}
            onSubmit={() => add.submit()}
            label={t('account.passkey_add')}
            disabled={name.trim() === ''}
          >
            <TextInput
              label={t('account.passkey_name')}
              maxLength={60}
              value={name}
              error={add.fieldError('name')}
              onChange={(event) => setName(event.currentTarget.value)}
            />
          </Form>
        ) : null}
      </Stack>
      <AskToLeave changed={name.trim() !== ''} />
      <RecoveryCodes codes={codes} onClose={() => setCodes([])} />
    </Card>
  )
}

type Passkey = RowOf<'/account/passkeys'>

function List({ passkeys }: { passkeys: readonly Passkey[] | undefined }) {
  const { t } = useTexts()
  if (passkeys === undefined) return <Skeleton height={48} />
  if (passkeys.length === 0) return <p className={classes.detail}>{t('account.passkeys_none')}</p>
  return (
    <ul className={classes.list}>
      {passkeys.map((passkey) => (
        <Row key={passkey.passkey_uuid} passkey={passkey} />
      ))}
    </ul>
  )
}

function Row({ passkey: { passkey_uuid: passkeyUuid, name, used_at } }: { passkey: Passkey }) {
  const { t } = useTexts()
  const [asks, setAsks] = useState(false)
  const remove = useSubmit({
    send: () => send('delete', '/account/passkeys/{passkeyUuid}', { params: { path: { passkeyUuid } } }),
    stale,
    turns,
    done: refreshSession,
  })
  return (
    <li className={classes.row}>
      <div>
        <div className={classes.name}>
          <bdi>{name}</bdi>
        </div>
        <div className={classes.detail}>
          {used_at === null
            ? t('account.passkey_unused')
            : t.rich('account.passkey_used', { when: <Time at={used_at} style="ago" /> })}
        </div>
      </div>
      <Button
        variant="default"
        size="sm"
        leftSection={<Icon name="trash" size={18} />}
        aria-label={`${t('account.passkey_remove')}: ${name}`}
        onClick={() => setAsks(true)}
      >
        {t('account.passkey_remove')}
      </Button>
      <ConfirmDialog
        opened={asks}
        onClose={() => setAsks(false)}
        title={t('account.passkey_remove_title', { name })}
        label={t('account.passkey_remove')}
        of={remove}
        onConfirm={() => remove.submit()}
        danger
      >
        {t('account.passkey_remove_lead')}
      </ConfirmDialog>
    </li>
  )
}

async function addPasskey(name: string) {
  const [options, { startRegistration }] = await Promise.all([
    send('post', '/account/passkeys/options'),
    loadPasskeys(),
  ])
  const response = await startRegistration({ optionsJSON: options as never })
  return send('post', '/account/passkeys', { body: { name, response: response as never } })
}
