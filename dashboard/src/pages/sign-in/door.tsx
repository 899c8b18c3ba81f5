import { Title, UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import { contactLink } from '../../../../src/domain/operator.ts'
import { useChooseLocale } from '../../app/choose-locale.ts'
import { is_sandbox, operator } from '../../app/page-facts.ts'
import { SandboxBanner } from '../../frame/sandbox-banner.tsx'
import { Icon, Mark } from '../../parts/icon.tsx'
import { useTitle } from '../../parts/use-title.ts'
import { useTexts } from '../../texts/texts.tsx'
import classes from './door.module.css'

/** The frame of pages for people who are not signed in. */
export function Door({ title, lead, children }: { title: string; lead?: ReactNode; children?: ReactNode }) {
  const { t, locale } = useTexts()
  const choose = useChooseLocale()
  const other = locale === 'ar' ? 'en' : 'ar'
  useTitle(title)
  return (
    <div className={classes.door}>
      {is_sandbox ? <SandboxBanner /> : null}
      <header className={classes.top}>
        <span className={classes.product}>
          <Mark size={28} />
          <span>{t('frame.product')}</span>
        </span>
        <UnstyledButton className={classes.language} lang={other} onClick={() => choose(other)}>
          <Icon name="language" size={18} />
          <span>{other === 'ar' ? 'العربية' : 'English'}</span>
        </UnstyledButton>
      </header>
      <main className={classes.main}>
        <div className={classes.card}>
          <Title order={1}>{title}</Title>
          {lead === undefined ? null : <p className={classes.lead}>{lead}</p>}
          <div className={classes.content}>{children}</div>
        </div>
      </main>
      <Foot />
    </div>
  )
}

/** Who runs the service, and where questions and complaints go. */
function Foot() {
  const { t } = useTexts()
  const { name, contact } = operator
  if (name === null && contact === null) return null
  const link = contact === null ? null : contactLink(contact)
  const words = <bdi>{contact}</bdi>
  const reached = link === null ? words : <a href={link}>{words}</a>
  return (
    <footer className={classes.foot}>
      {contact === null ? null : `${t('sign-in.questions')} `}
      {name === null ? null : <bdi>{name}</bdi>}
      {contact === null ? null : name === null ? (
        reached
      ) : (
        <>
          {' '}
          <span className={classes.contact}>({reached})</span>
        </>
      )}
    </footer>
  )
}
