/** What common passwords are made of. A password of such words alone, with digits and signs between them, is a common one. */

const words = `
password passwords passw passwd passcode secret secrets letmein welcome admin administrator root user login guest master access
test testing tester default changeme change temp temporary qwerty azerty qwertz asdf asdfgh zxcv zxcvbn keyboard computer laptop
iphone android samsung google apple microsoft windows linux facebook twitter instagram youtube whatsapp snapchat amazon netflix
yahoo gmail hotmail outlook internet server network wifi router office company business manager owner support sales shop store
market money dollar riyal dirham bank account credit card payment loyalty points rewards customer merchant checkout dashboard
love iloveyou loveyou lovely lover forever always never princess prince queen king angel angels baby babygirl babyboy honey sweet
sweetie sugar candy chocolate cookie coffee family mother father mama papa mommy daddy sister brother friend friends hello hi
sunshine flower flowers rainbow summer winter spring autumn monday tuesday wednesday thursday friday saturday sunday january
february march april june july august september october november december today tomorrow morning night star stars moon
football soccer baseball basketball hockey tennis cricket arsenal chelsea liverpool manchester united barcelona madrid juventus
hilal nassr ittihad ahli alhilal alnassr alittihad alahli ronaldo messi neymar salah jordan tiger lion eagle falcon dragon wolf
monkey panda bear horse dog dogs cat cats kitty puppy fish bird snake shadow hunter ranger killer ninja samurai warrior soldier
batman superman spiderman ironman pokemon pikachu starwars matrix gandalf hobbit potter harry simba mickey minnie mustang ferrari
porsche mercedes toyota honda nissan camry corvette harley yamaha suzuki freedom peace trust nothing whatever something blink
michael jennifer jessica ashley amanda daniel david robert thomas charlie andrew joshua matthew anthony george michelle nicole
hannah samantha taylor morgan jackson james john william richard joseph charles maria anna sarah laura julia elena sofia
mohammed muhammad mohamed mohammad ahmed ahmad ali omar umar khalid khaled abdullah abdulaziz abdulrahman abdul faisal fahad
sultan salman saud turki nasser nawaf majed sami yousef yusuf ibrahim ismail hassan hussain hamad saleh saad ziad noura nora
sara fatima fatimah aisha maryam mariam layla laila reem huda hanan amal dalal lama rania allah bismillah inshallah mashallah
alhamdulillah subhanallah habibi habibti ramadan makkah mecca madinah medina riyadh jeddah dammam khobar saudi arabia dubai
kuwait qatar bahrain oman egypt cairo jordan london paris newyork america canada germany france india pakistan
orange banana cherry lemon mango peach purple yellow green black white silver gold golden red blue diamond crystal pepper ginger
hammer hockey guitar music dance party lucky happy smile cool super mega power magic dream dreams heaven hell devil demon
trustno one two three four five six seven eight nine ten hundred thousand number abc abcd qwe asd zxc wsx edc please open enter
correct horsebattery battery staple monkeys princesses the and my is you your me for with this that mine our not
`

const arabic = `
كلمة السر المرور كلمةالمرور كلمةالسر مرحبا اهلا حبيبي حبيبتي احبك بسم الله الحمد محمد احمد علي عمر خالد عبدالله فيصل سلطان
نورة سارة فاطمة مريم الرياض جدة السعودية الهلال النصر الاتحاد الاهلي رمضان نقطة نقاط
`

/** In lower case. Words of one or two letters are left out: they occur in everything. */
export const commonWords: readonly string[] = `${words} ${arabic}`.split(/\s+/).filter((word) => word.length >= 3)

/** Neighbours on a keyboard, digits in order, the alphabet: every stretch of four of them, in both directions. */
export const keyboardRuns: readonly string[] = [
  '12345678901234567890',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'azertyuiop',
  'abcdefghijklmnopqrstuvwxyz',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  '1q2w3e4r5t6y7u8i9o0p',
  'ضصثقفغعهخحج',
].flatMap((row) => stretches([...row]).concat(stretches([...row].reverse())))

function stretches(row: readonly string[]): string[] {
  return row.slice(3).map((_, index) => row.slice(index, index + 4).join(''))
}
