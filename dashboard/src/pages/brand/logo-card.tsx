import { Button, FileButton, Group } from '@mantine/core'
import { useRef } from 'react'
import { send } from '../../api/client.ts'
import { useMerchant } from '../../app/merchant.ts'
import { Card } from '../../parts/card.tsx'
import { Icon } from '../../parts/icon.tsx'
import { notifyDone } from '../../parts/notify.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { useTexts } from '../../texts/texts.tsx'
import classes from './brand.module.css'
import { type Brand, brandPath } from './brand.ts'

const path = '/merchants/{merchantId}/brand/logo/{shape}'

/** A logo, which is saved as soon as a file is chosen. */
export function LogoCard({ brand, shape }: { brand: Brand; shape: 'square' | 'wide' }) {
  const { t } = useTexts()
  const { merchantId, may } = useMerchant()
  const logo = shape === 'square' ? brand.logo : brand.wide_logo
  const params = { path: { merchantId, shape } }
  const after = { done: () => notifyDone(t('common.saved')), stale: [brandPath] }
  const put = useSubmit({
    send: async (file: File) => send('put', path, { params, body: { content: await base64Of(file) } }),
    ...after,
  })
  const remove = useSubmit({ send: () => send('delete', path, { params }), ...after })
  const forget = useRef<() => void>(null)
  const choose = (file: File | null) => {
    if (file !== null) put.submit(file)
    // A browser does not tell of a file that is chosen again, as after a failure.
    forget.current?.()
  }
  const sentence = put.fieldError(shape === 'square' ? 'logo' : 'wide_logo') ?? put.error ?? remove.error
  return (
    <Card title={t(`settings.logo_${shape}`)} lead={t(`settings.logo_${shape}_lead`)}>
      <div className={classes.logo}>
        <div className={classes.picture} data-shape={shape}>
          {logo === null ? <Icon name="brand" size={28} /> : <img src={logo.url} alt={t(`settings.logo_${shape}`)} />}
        </div>
        {may('change_settings') ? (
          <Group gap="sm">
            <FileButton accept="image/png,image/jpeg,image/webp" resetRef={forget} onChange={choose}>
              {(props) => (
                <Button variant="default" loading={put.pending} {...props}>
                  {t(logo === null ? 'settings.logo_choose' : 'settings.logo_replace')}
                </Button>
              )}
            </FileButton>
            {logo === null ? null : (
              <Button variant="subtle" color="red" loading={remove.pending} onClick={() => remove.submit()}>
                {t('settings.logo_remove')}
              </Button>
            )}
          </Group>
        ) : null}
      </div>
      {sentence === undefined ? null : (
        <p role="alert" style={{ color: 'var(--bad)', marginBlock: 'var(--space-3) 0' }}>
          {sentence}
        </p>
      )}
    </Card>
  )
}

async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  let text = ''
  // In pieces: a call takes only so many arguments.
  for (let from = 0; from < bytes.length; from += 8_192)
    text += String.fromCharCode(...bytes.subarray(from, from + 8_192))
  return btoa(text)
}
