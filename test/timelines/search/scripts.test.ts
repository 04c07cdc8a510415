import assert from 'node:assert/strict'
import { test, type Test } from 'tap'
import { people, sql, type Person } from '../../support/people.ts'

async function find(who: Person, q: string): Promise<string[]> {
  const response = await who.get('/api/v2/search', { q, type: 'statuses' })
  assert.equal(response.status, 200, response.text)
  return (response.json as { statuses: { id: string }[] }).statuses.map(({ id }) => id)
}

/** Posts each text, then checks that each of its queries finds it and nothing else. */
async function check(t: Test, table: Record<string, string[]>): Promise<void> {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  await sql(server, 'update accounts set indexable = true where id = $1', [alice.id])
  const posts = []
  for (const [text, queries] of Object.entries(table)) posts.push({ ...(await alice.postStatus(text)), text, queries })
  for (const { id, text, queries } of posts)
    for (const query of queries) {
      assert.deepEqual(await find(alice, `${query} in:library`), [id], `${query} in ${text}, one's own`)
      assert.deepEqual(await find(bob, query), [id], `${query} in ${text}`)
    }
}

test('words are found beside punctuation, symbols and spaces of any script', t =>
  check(t, {
    'Die ‘Welt’ von „gestern‟': ['Welt', 'gestern', '‘Welt’'],
    '¿Qué pasa?': ['qué', '¿Qué'],
    'Hallo… wie': ['hallo', 'Hallo…'],
    'Ende—Anfang': ['Ende', 'anfang', '"ende anfang"', 'Ende–Anfang'],
    'Bonjour\u00a0! Ça\u202fva\u202f?': ['Bonjour', 'va'],
    'مرحبا، كيف حالك؟': ['مرحبا', 'حالك'],
    'नमस्ते। ठीक': ['नमस्ते', 'ठीक'],
    'toll🎉 ❤️super 👍🏽gut 1️⃣eins 🇩🇪de': ['toll', 'super', 'gut', 'eins', 'de'],
    'l’été rock’n’roll': ['été', '"l\'été"', "rock'n'roll"],
    'naı̈ve cafe\u0301 m² ½ ªº ʼn': ['naı̈ve', 'cafe\u0301', 'm²', '½'],
    می‌خواهم: ['می‌خواهم', 'خواهم'],
    '안녕하세요！ 반갑습니다': ['안녕하세요', '반갑습니다'],
  }))

test('words are found with and without their accents', t =>
  check(t, {
    'Crème brûlée à l’été': ['creme', 'CRÈME', 'crème brulee', '"brulee a l\'ete"', 'cre\u0300me'],
    'Straße und ÄRGER': ['strasse', 'straße', 'arger', 'Ärger'],
    'Đà Nẵng': ['da nang', 'đà nẵng', '"Đà Nang"'],
    'mañana İstanbul': ['manana', 'mañana', 'istanbul'],
    'smørrebrød på Ærø': ['smorrebrod', 'aero', 'ærø'],
    'Зелёная ёлка': ['зеленая', 'ЁЛКА', 'елка'],
    'η θάλασσα': ['θαλασσα', 'θάλασσα'],
    'Ｆｕｌｌ ﬁnal': ['full', 'final'],
  }))

test('parts of texts in scripts without spaces are found', t =>
  check(t, {
    '今日は天気がいい。': ['天気', '天', 'いい', 'がい', '"天気がいい"', '今日は天気がいい', '天気 今日', '天気 -明日'],
    新しいiPhone15の３日目: ['iPhone15', '"iPhone15の"', '新しいiPhone15', 'の'],
    気象と明日: ['気象', '明日'],
    ｶﾞｷﾞメール: ['ｶﾞｷﾞ', 'メール', 'ール'],
    '我们去北京，好吗？': ['北京', '我们', '好吗', '吗'],
    ที่นี่อากาศดี: ['อากาศ', 'นี่', 'ดี'],
    ທີ່ນີ້ອາກາດດີ: ['ອາກາດ', 'ດີ'],
    អាកាសធាតុល្អ: ['ធាតុ', 'ល្អ'],
    ဒီမှာရာသီဥတုကောင်းတယ်: ['ရာသီဥတု', 'ကောင်း'],
  }))

test('letters of a script without spaces are found only in their order and side by side', async t => {
  const { alice } = await people(t, 'alice')
  const { id } = await alice.postStatus('今日は天気がいい、元気')
  for (const query of ['気天', '今は', '"元気 天気"', 'い元', '天気 -元', '天気 -気が'])
    assert.deepEqual(await find(alice, `${query} in:library`), [], query)
  for (const query of ['元気', '天気 元気', '"いい 元気"', 'い、元', '天気 -気い'])
    assert.deepEqual(await find(alice, `${query} in:library`), [id], query)
})
