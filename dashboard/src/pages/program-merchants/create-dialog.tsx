import { TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { readEmail } from '../../../../src/domain/email.ts'
import { type DataOf, send } from '../../api/client.ts'
import { useProgram } from '../../app/program.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Form } from '../../parts/form.tsx'
import { notifyFailure } from '../../parts/notify.tsx'
import { usePath } from '../../parts/page-link.tsx'
import { SecretDialog } from '../../parts/secret-dialog.tsx'
import type { Shown } from '../../parts/secret-list.tsx'
import { secretTurns } from '../../parts/use-awaits-secret.ts'
import { useSubmit } from '../../parts/use-submit.ts'
import { useTexts } from '../../texts/texts.tsx'

const path = '/programs/{programId}/merchants'
type Made = DataOf<typeof path, 'post'>

interface Values {
  readonly name: string
  readonly name_ar: string
  readonly email: string
}

const nothing: Values = { name: '', name_ar: '', email: '' }

/** Creates a merchant and invites its owner, then shows what is shown only once. */
export function CreateDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTexts()
  const navigate = useNavigate()
  const pathOf = usePath()
  const [values, setValues] = useState(nothing)
  const [made, setMade] = useState<{ merchant: Made; secrets: readonly Shown[] }>()
  const [isChecked, setChecked] = useState(false)
  const create = useCreate((merchant, secrets) => setMade({ merchant, secrets }))
  // The merchant is created before its owner is invited, so the address is checked before both.
  const is_email_wrong = values.email.trim() !== '' && readEmail(values.email) === null
  const email_error = isChecked && is_email_wrong ? t('program.field_email_wrong') : undefined
  const field = (name: keyof Values) => ({
    label: t(`program.field_${name}`),
    value: values[name],
    maxLength: 245,
    error: create.fieldError(name),
    onChange: (event: React.ChangeEvent<HTMLInputElement>) =>
      setValues({ ...values, [name]: event.currentTarget.value }),
  })
  const submit = () => {
    setChecked(true)
    if (!is_email_wrong) create.submit(values)
  }
  const toMerchant = () => {
    if (made !== undefined) void navigate({ to: pathOf(`merchants/${made.merchant.merchant_id}`) })
  }
  return (
    <>
      <Dialog opened={made === undefined} onClose={onClose} title={t('program.create_title')}>
        <Form of={create} onSubmit={submit} label={t('program.create_submit')}>
          <TextInput data-autofocus {...field('name')} />
          <TextInput dir="rtl" lang="ar" {...field('name_ar')} description={t('program.field_name_ar_hint')} />
          <TextInput
            {...field('email')}
            error={email_error}
            type="email"
            dir="ltr"
            autoComplete="off"
            description={t('program.field_email_hint')}
          />
        </Form>
      </Dialog>
      <SecretDialog title={t('program.created_title')} secrets={made?.secrets} onClose={toMerchant} />
    </>
  )
}

function useCreate(onMade: (merchant: Made, secrets: readonly Shown[]) => void) {
  const { t } = useTexts()
  const { programId } = useProgram()
  return useSubmit({
    turns: secretTurns,
    send: ({ name, name_ar }: Values, headers) => {
      const arabic = name_ar.trim()
      const body = { name: name.trim(), ...(arabic === '' ? {} : { name_ar: arabic }) }
      return send('post', path, { params: { path: { programId } }, headers, body })
    },
    async done(merchant, { email }) {
      const link = email.trim() === '' ? null : await inviteOwner(merchant.merchant_id, email.trim())
      onMade(merchant, [
        { label: t('settings.private_key'), value: merchant.private_key },
        { label: t('settings.public_key'), value: merchant.public_key },
        ...(link === null ? [] : [{ label: t('program.owner_link'), value: link }]),
      ])
    },
    stale: [path],
  })

  /**
   * Gives the link to pass on where no mail is sent. A failure is only shown: the merchant exists, and another invitation
   * can follow.
   */
  async function inviteOwner(merchantId: number, email: string): Promise<string | null> {
    const to = { params: { path: { merchantId } }, body: { email, role: 'owner' as const } }
    const invited = await send('post', '/merchants/{merchantId}/team/invitations', to).catch((error: unknown) => {
      notifyFailure(error, t, t('program.owner_not_invited'))
    })
    return invited?.link ?? null
  }
}
