import type { FailureKind } from '../../domain/failures.ts'
import type { ErrorRow, FailureOf } from './error-row.ts'

/** The failures of signing in and of teams, as rows of the error table. */
export const staffErrors = {
  sign_in_refused: {
    status: 401,
    when: 'In the dashboard: the address is unknown, the password is wrong, or the account is switched off.',
    text: {
      en: 'The e-mail address or the password is wrong. Check both, or ask for a link to choose a new password.',
      ar: 'البريد الإلكتروني أو كلمة المرور غير صحيحة. تحقق منهما أو اطلب رابطًا لاختيار كلمة مرور جديدة.',
    },
  },
  sign_in_busy: {
    status: 503,
    planned: true,
    when: 'In the dashboard: too many people sign in at this moment.',
    text: {
      en: 'Many people are signing in at this moment. Try again in a few seconds.',
      ar: 'يسجّل كثيرون الدخول في هذه اللحظة. حاول مجددًا بعد ثوانٍ.',
    },
    headers: () => ({ 'retry-after': '5' }),
  },
  too_many_sign_ins: {
    status: 429,
    when:
      'In the dashboard: too many wrong tries for an account or from an address, too many sign-ins of an account from an address ' +
      'in a day, or too many links asked for. `appended_data.retry_after_s` says how long to wait.',
    text: {
      en: 'Too many tries. Wait a while, then try again.',
      ar: 'محاولات كثيرة. انتظر قليلًا ثم حاول مجددًا.',
    },
    headers: ({ retry_after_s }: FailureOf<'too_many_sign_ins'>) => ({ 'retry-after': String(retry_after_s) }),
    appended: ({ retry_after_s }: FailureOf<'too_many_sign_ins'>) => ({ retry_after_s }),
  },
  too_many_tests: {
    status: 429,
    when: 'In the dashboard: the payment or the webhooks of a merchant were tested too often in an hour.',
    text: {
      en: 'This was tested many times in the last hour. Nothing is wrong with your settings: wait a while, then test again.',
      ar: 'أُجريت اختبارات كثيرة خلال الساعة الماضية. لا خطأ في إعداداتك: انتظر قليلًا ثم اختبر مجددًا.',
    },
    headers: ({ retry_after_s }: FailureOf<'too_many_tests'>) => ({ 'retry-after': String(retry_after_s) }),
    appended: ({ retry_after_s }: FailureOf<'too_many_tests'>) => ({ retry_after_s }),
  },
  second_factor_refused: {
    status: 401,
    when: 'In the dashboard: the code of the app or the recovery code is wrong, too old, or was used before.',
    text: {
      en: 'The code is not right, or was used before. Wait for the next one in your app, or use a recovery code.',
      ar: 'الرمز غير صحيح أو سبق استخدامه. انتظر الرمز التالي في تطبيقك أو استخدم رمز استرداد.',
    },
  },
  second_factor_expired: {
    status: 401,
    when: 'In the dashboard: the second factor came more than five minutes after the password.',
    text: {
      en: 'That took too long. Sign in with your password again.',
      ar: 'استغرق ذلك وقتًا طويلًا. سجّل الدخول بكلمة المرور من جديد.',
    },
  },
  confirm_password: {
    status: 403,
    when: 'In the dashboard: an act that needs a recent sign-in, a while after it, or a wrong password. `appended_data.confirm_by` says what the account has to confirm it by.',
    text: {
      en: 'Enter your password to confirm this, or sign in again.',
      ar: 'أدخل كلمة المرور لتأكيد هذا التغيير، أو سجّل الدخول من جديد.',
    },
    appended: ({ confirm_by }) => (confirm_by === undefined ? {} : { confirm_by }),
  },
  passkey_refused: {
    status: 401,
    when: 'In the dashboard: the passkey is unknown, its answer is not right, or it came too late.',
    text: {
      en: 'This passkey was not accepted. Try again, or use your password.',
      ar: 'لم يُقبل مفتاح المرور هذا. حاول مجددًا أو استخدم كلمة المرور.',
    },
  },
  totp_on: {
    status: 409,
    when: 'In the dashboard: codes by an app are on already.',
    text: {
      en: 'Codes by an app are on already. Remove them first to use another app.',
      ar: 'رموز التطبيق مفعّلة من قبل. أزلها أولًا لاستخدام تطبيق آخر.',
    },
  },
  link_invalid: {
    status: 404,
    when: 'In the dashboard: the link is unknown, has expired, or was used.',
    text: {
      en: 'This link does not work any more. Ask for a new one.',
      ar: 'لم يعد هذا الرابط صالحًا. اطلب رابطًا جديدًا.',
    },
  },
  link_for_other: {
    status: 403,
    when: 'In the dashboard: an invitation is for another address than that of who is signed in.',
    text: {
      en: 'This invitation is for another address. Sign out, and sign in with that one.',
      ar: 'هذه الدعوة لبريد آخر. سجّل الخروج ثم ادخل بذلك البريد.',
    },
  },
  already_member: {
    status: 409,
    when: 'In the dashboard: the person who is invited is in the team.',
    text: {
      en: 'This person is in the team already. Change their role there.',
      ar: 'هذا الشخص عضو في الفريق من قبل. غيّر دوره من هناك.',
    },
  },
  last_owner: {
    status: 409,
    when: 'In the dashboard: the last owner of a merchant would be removed or become something else.',
    text: {
      en: 'A merchant needs an owner. Make somebody else an owner first.',
      ar: 'يحتاج المتجر إلى مالك. اجعل شخصًا آخر مالكًا أولًا.',
    },
  },
  mail_not_sent: {
    status: 503,
    when: 'In the dashboard: the mail server did not take an invitation, which therefore does not exist.',
    text: {
      en: 'The invitation could not be mailed. Try again in a while, or tell whoever runs the deployment.',
      ar: 'تعذّر إرسال الدعوة بالبريد. حاول مجددًا بعد قليل أو أبلغ مشغّل الخدمة.',
    },
    headers: () => ({ 'retry-after': '60' }),
  },
} as const satisfies { readonly [K in FailureKind]?: ErrorRow<FailureOf<K>> }
