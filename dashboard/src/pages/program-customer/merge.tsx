import { Button, Stack, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type DataOf, send } from '../../api/client.ts'
import { Facts } from '../../parts/card.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Form } from '../../parts/form.tsx'
import { Points } from '../../parts/money.tsx'
import { notifyDone } from '../../parts/notify.tsx'
import { usePath } from '../../parts/page-link.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { useTexts } from '../../texts/texts.tsx'
import { type PersonDetail, stale_paths, useParamsOfPerson } from './person.ts'

const merge_path = '/programs/{programId}/customers/{customerId}/merge'
type Preview = DataOf<typeof merge_path, 'get'>

/** Asks for the number that stays, shows what will move, and merges. */
export function MergeDialog({ detail, onClose }: { detail: PersonDetail; onClose: () => void }) {
  const { t } = useTexts()
  const [shown, setShown] = useState<Preview>()
  return (
    <Dialog opened size="lg" onClose={onClose} title={t('people.merge_title')}>
      {shown === undefined ? (
        <ChooseNumber onShown={setShown} />
      ) : (
        <Confirm detail={detail} preview={shown} onBack={() => setShown(undefined)} onClose={onClose} />
      )}
    </Dialog>
  )
}

function ChooseNumber({ onShown }: { onShown: (preview: Preview) => void }) {
  const { t } = useTexts()
  const { path } = useParamsOfPerson()
  const [phone, setPhone] = useState('')
  const preview = useSubmit({
    send: (typed: string) => send('get', merge_path, { params: { path, query: { phone: typed } } }),
    done: onShown,
  })
  return (
    <Form
      of={preview}
      onSubmit={() => preview.submit(phone.trim())}
      label={t('people.merge_preview')}
      disabled={phone.trim() === ''}
    >
      <p>{t('people.merge_lead')}</p>
      <TextInput
        data-autofocus
        dir="ltr"
        inputMode="tel"
        label={t('people.merge_phone')}
        description={t('people.merge_phone_hint')}
        maxLength={40}
        value={phone}
        error={preview.fieldError('phone')}
        onChange={(event) => setPhone(event.currentTarget.value)}
      />
    </Form>
  )
}

function Confirm({
  detail: { customer },
  preview: { into, points, waiting, posted_after },
  onBack,
  onClose,
}: {
  detail: PersonDetail
  preview: Preview
  onBack: () => void
  onClose: () => void
}) {
  const { t } = useTexts()
  const navigate = useNavigate()
  const path = usePath()
  const params = useParamsOfPerson()
  const merge = useSubmit({
    send: (body: { phone: string }, headers) => send('post', merge_path, { params, headers, body }),
    async done({ into_customer_id }) {
      notifyDone(t('people.merged_now'))
      onClose()
      await navigate({ to: path(`customers/${into_customer_id}`) })
    },
    stale: stale_paths,
  })
  const number = (phone: string | null) => <bdi dir="ltr">{phone ?? '—'}</bdi>
  return (
    <Form
      of={merge}
      onSubmit={() => merge.submit({ phone: into.phone })}
      label={t('people.merge_confirm')}
      aside={
        <Button variant="default" onClick={onBack} disabled={merge.pending}>
          {t('people.merge_back')}
        </Button>
      }
    >
      <Stack gap="md">
        <Facts
          rows={[
            { label: t('people.merge_given_up'), value: number(customer.phone) },
            { label: t('people.merge_stays'), value: number(into.phone) },
            { label: t('people.merge_stays_name'), value: <bdi>{into.name ?? t('people.unnamed')}</bdi> },
            { label: t('people.merge_moves'), value: <Points count={points} /> },
            ...(waiting === 0 ? [] : [{ label: t('people.merge_waiting'), value: <Points count={waiting} /> }]),
            { label: t('people.merge_before'), value: <Points count={into.posted} /> },
            { label: t('people.merge_after'), value: <Points count={posted_after} /> },
          ]}
        />
        <p>{t('people.merge_warning')}</p>
      </Stack>
    </Form>
  )
}
