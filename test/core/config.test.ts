import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'tap'
import { InvalidConfig, readConfig } from '../../src/core/config.ts'
import { CONFIG_TABLE } from '../../src/core/config_table.ts'
import { findUnknownSettings } from '../../src/core/unknown_settings.ts'

const faultsOf = (env: Record<string, string>): string[] => {
  try {
    readConfig(env)
    return []
  } catch (error) {
    assert.ok(error instanceof InvalidConfig)
    return error.message.split('\n')
  }
}

test('an empty environment gives a complete configuration', async () => {
  const config = readConfig({})
  assert.equal(config.publicUrl, 'http://localhost:3000')
  assert.equal(config.streamingUrl, 'ws://localhost:3000')
  assert.deepEqual([config.s3Bucket, config.translationBackend, config.databaseUrl], [undefined, undefined, undefined])
  assert.equal(Object.isFrozen(config), true)
})

test('variables override settings by their names in Mastodon, the newer one first', async () => {
  assert.deepEqual(readConfig({}).fixedSettings, {})
  const old = readConfig({ WHITELIST_MODE: 'true', AUTHORIZED_FETCH: 'false' })
  assert.deepEqual(old.fixedSettings, {
    limited_federation_mode: { value: true, variable: 'WHITELIST_MODE' },
    authorized_fetch: { value: false, variable: 'AUTHORIZED_FETCH' },
  })
  const both = { WHITELIST_MODE: 'true', LIMITED_FEDERATION_MODE: 'false', DISALLOW_UNAUTHENTICATED_API_ACCESS: '1' }
  assert.deepEqual(readConfig(both).fixedSettings, {
    disallow_unauthenticated_api_access: { value: true, variable: 'DISALLOW_UNAUTHENTICATED_API_ACCESS' },
    limited_federation_mode: { value: false, variable: 'LIMITED_FEDERATION_MODE' },
  })
  assert.deepEqual(faultsOf({ AUTHORIZED_FETCH: 'perhaps' }), ['AUTHORIZED_FETCH must be on or off, not "perhaps"'])
})

test('all errors are reported together, one line each', async () => {
  const faults = faultsOf({
    PORT: '70000',
    PUBLIC_URL: 'ftp://example.com',
    RATE_LIMITS: 'perhaps',
    LOG_LEVEL: 'loud',
    MAX_FOLLOWS_RATIO: 'much',
    DATABASE_URL: 'mysql://db',
    TRUSTED_PROXIES: 'somewhere',
  })
  assert.deepEqual(faults.slice(0, 2), [
    'PORT must be a whole number from 0 to 65535, not "70000"',
    'PUBLIC_URL must be a URL starting with http:// or https://, not "ftp://example.com"',
  ])
  assert.match(faults.join('\n'), /^DATABASE_URL must start with postgres:\/\/ or postgresql:\/\/$/m)
  assert.match(faults.join('\n'), /^RATE_LIMITS must be on or off, not "perhaps"$/m)
  assert.match(faults.join('\n'), /^LOG_LEVEL must be one of fatal, error, warn, info, debug, silent, not "loud"$/m)
  assert.match(faults.join('\n'), /^TRUSTED_PROXIES must be /m)
  assert.match(faults.join('\n'), /^MAX_FOLLOWS_RATIO must be a number from 0 to 1000, not "much"$/m)
  assert.equal(faults.length, 7)
})

/** A setting that is wrong by itself, and its whole line. */
const WRONG: readonly (readonly [Record<string, string>, string])[] = [
  [
    { LOCAL_DOMAIN: 'https://example.com' },
    'LOCAL_DOMAIN must be a domain such as example.com, without https:// and spaces, not "https://example.com"',
  ],
  [
    { LOCAL_DOMAIN: 'exa mple.com' },
    'LOCAL_DOMAIN must be a domain such as example.com, without https:// and spaces, not "exa mple.com"',
  ],
  [
    { MAIL_FROM: 'The server' },
    'MAIL_FROM must be an e-mail address such as Name <name@example.com>, not "The server"',
  ],
  [
    { TRUSTED_PROXIES: '1.2.3' },
    'TRUSTED_PROXIES must be addresses or networks such as 10.0.0.0/8, or loopback: "1.2.3" is no address or network',
  ],
  [
    { METRICS_FROM: '10.0.0/8' },
    'METRICS_FROM must be addresses or networks such as 10.0.0.0/8, or loopback: "10.0.0/8" is no address or network',
  ],
  [{ BIND: 'nonsense' }, 'BIND must be an IP address such as 127.0.0.1, 0.0.0.0 or ::, not "nonsense"'],
  [
    { PUBLIC_URL: 'https://example.com/social' },
    'PUBLIC_URL must be a scheme and a host such as https://example.com, without a path or anything else',
  ],
  [
    { PUBLIC_URL: 'https://me:hush@example.com' },
    'PUBLIC_URL must be a scheme and a host such as https://example.com, without a path or anything else',
  ],
  [{ STREAMING_URL: 'wss://example.com?a=b' }, 'STREAMING_URL must be a URL without ? and #'],
  [
    { S3_BUCKET: 'Bad Bucket' },
    'S3_BUCKET must be 3 to 63 lower-case letters, digits, dots and hyphens, not "Bad Bucket"',
  ],
  [{ S3_REGION: 'eu-west-1' }, 'S3_REGION needs S3_BUCKET'],
  [{ S3_PUBLIC_URL: 'https://cdn.example' }, 'S3_PUBLIC_URL needs S3_BUCKET'],
  [{ TRANSLATION_API_KEY: 'hush' }, 'TRANSLATION_API_KEY needs TRANSLATION_BACKEND'],
  [{ TRANSLATION_URL: 'https://translate.example' }, 'TRANSLATION_URL needs TRANSLATION_BACKEND'],
  [{ DONATION_ENVIRONMENT: 'test' }, 'DONATION_ENVIRONMENT needs DONATION_URL'],
  [{ HCAPTCHA_VERIFY_URL: 'https://captcha.example' }, 'HCAPTCHA_VERIFY_URL needs HCAPTCHA_SITE_KEY'],
  [{ HCAPTCHA_SITE_KEY: 'site' }, 'HCAPTCHA_SITE_KEY and HCAPTCHA_SECRET_KEY need each other'],
  [{ DEFAULT_LOCALE: 'klingon' }, 'DEFAULT_LOCALE must be the code of a language such as en or de, not "klingon"'],
  [
    { EMAIL_DOMAIN_DENYLIST: 'spam.example|exa mple' },
    'EMAIL_DOMAIN_DENYLIST must be domains with | between them: "exa mple" is no domain',
  ],
]

test('each setting is checked whole, in one line that names it and what is expected', async () => {
  for (const [env, line] of WRONG) assert.deepEqual(faultsOf(env), [line])
  assert.deepEqual(faultsOf({ LOCAL_DOMAIN: 'MÜLLER.example:8443', MAIL_FROM: '"Mill, the" <m@müller.example>' }), [])
  assert.equal(readConfig({ LOCAL_DOMAIN: 'MÜLLER.example' }).localDomain, 'xn--mller-kva.example')
  assert.equal(readConfig({ PUBLIC_URL: 'https://Example.COM:443/' }).publicUrl, 'https://example.com')
  for (const bind of ['0.0.0.0', '::', '::1', 'localhost']) assert.equal(readConfig({ BIND: bind }).bind, bind)
})

test('errors of DATABASE_URL and SMTP_URL contain no piece of the password', async () => {
  for (const value of [
    'postgres://mill:hu/sh@db.example/mill',
    'postgres://mill:12/sh@db.example/mill',
    'postgres://mill:hu#sh@db.example/mill',
    'postgres://mill:hu?sh@db.example/mill',
    'postgres://mill:hu%sh@db.example/mill',
    'postgres://mill:hu sh@db.example/mill',
    'postgres://mill:hush@db.example/mill/more',
    'postgres://mill:hush@one.example,two.example/mill',
    'postgres://mill:hush@db.example/mill?sslmod=require',
    'postgres://mill:hush@db.example/mill?sslmode=sometimes',
    'postgres://mill:hush@db.example/mill?sslmode=prefer',
    'postgres://mill:hush@db.example/mill?sslmode=verify-ca',
    'postgres://mill:hush@db.example:five/mill',
    'mill:hush@db.example',
  ]) {
    const faults = faultsOf({ DATABASE_URL: value })
    assert.equal(faults.length, 1, value)
    assert.match(faults[0] ?? '', /^DATABASE_URL (must|has|needs) /)
    assert.doesNotMatch(faults[0] ?? '', /hu|sh@|mill:|12/, value)
  }
  for (const value of [
    'smtp://me:hu/sh@mail.example:587',
    'smtp://me:hu#sh@mail.example:587',
    'smtp://me:hush@:587',
    'smtp://me:hush@mail.example:587/path',
    'smtp://me:hush@mail.example:587?requireTls=true',
    'smtp://me:hush@mail.example:587?requireTLS=maybe',
    'smtp://me:hush@mail.example:465',
    'mail.example:587',
  ]) {
    const faults = faultsOf({ SMTP_URL: value })
    assert.equal(faults.length, 1, value)
    assert.match(faults[0] ?? '', /^SMTP_URL (must|has|needs) /)
    assert.doesNotMatch(faults[0] ?? '', /hush|sh@|me:/, value)
  }
  for (const env of [
    { DATABASE_URL: 'postgres://mill:h%2Fu%23sh@db.example:5432/mill?sslmode=verify-full&sslrootcert=/ca.pem' },
    { DATABASE_URL: 'postgresql://mill@/mill?host=/var/run/postgresql' },
    { DATABASE_URL: 'postgres:///mill?host=/var/run/postgresql&port=5433' },
    { SMTP_URL: 'smtp://me%40example.com:h%2Fush@mail.example:587?requireTLS=true' },
    { SMTP_URL: 'smtps://mail.example' },
  ]) {
    assert.deepEqual(faultsOf(env), [])
  }
})

test('unknown variables that look like settings are found, with the nearest setting', async () => {
  const nearest = Object.fromEntries(
    findUnknownSettings({
      SMTP_ULR: 'smtp://mail.example',
      PUBLIC_ULR: 'x',
      DATABSE_URL: 'x',
      TRUSTED_PROXY: 'x',
      S3_SECRET_KEY: 'x',
      PROT: '1',
    }).map(({ variable, nearest: name }) => [variable, name]),
  )
  assert.deepEqual(nearest, {
    DATABSE_URL: 'DATABASE_URL',
    PUBLIC_ULR: 'PUBLIC_URL',
    S3_SECRET_KEY: 'S3_SECRET_ACCESS_KEY',
    SMTP_ULR: 'SMTP_URL',
    TRUSTED_PROXY: 'TRUSTED_PROXIES',
  })
  const usual: Record<string, string> = { PORT: '3000', npm_config_port: '1', NODE_EXTRA_CA_CERTS: '/ca.pem' }
  for (const name of ['PATH', 'HOME', 'MAIL', 'LANG', 'HOSTNAME', 'SHLVL', 'PWD', 'TERM', 'NODE_ENV']) usual[name] = 'x'
  for (const name of ['SMTP_PORT_25_TCP_ADDR', 'S3_SERVICE_HOST', 'MILLRACE_TEST_WORKERS']) usual[name] = 'x'
  assert.deepEqual(findUnknownSettings(usual), [])
})

test('a bucket and a translator need all of their settings', async () => {
  assert.deepEqual(faultsOf({ S3_ENDPOINT: 'https://s3.example', S3_ACCESS_KEY_ID: 'key' }), [
    'S3_ENDPOINT needs S3_BUCKET',
    'S3_ACCESS_KEY_ID needs S3_BUCKET',
    'S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY need each other',
  ])
  assert.deepEqual(faultsOf({ PORT: '3001', HEALTH_PORT: '3001' }), [
    'HEALTH_PORT must be another port than PORT, 3001',
  ])
  assert.deepEqual(faultsOf({ TRANSLATION_BACKEND: 'deepl' }), ['TRANSLATION_BACKEND=deepl needs TRANSLATION_API_KEY'])
  assert.deepEqual(faultsOf({ TRANSLATION_BACKEND: 'libretranslate' }), [
    'TRANSLATION_BACKEND=libretranslate needs TRANSLATION_URL',
  ])
  assert.deepEqual(faultsOf({ TRANSLATION_BACKEND: 'parrot' }), [
    'TRANSLATION_BACKEND must be one of deepl, libretranslate, not "parrot"',
  ])
  const { s3PathStyle } = readConfig({ S3_BUCKET: 'media', S3_ENDPOINT: 'https://s3.example' })
  assert.equal(s3PathStyle, true)
})

test('the table of OPERATING.md has every variable, with its default and meaning', async () => {
  const document = readFileSync(new URL('../../OPERATING.md', import.meta.url), 'utf8')
  const rows = new Set(document.split('\n').map(line => line.replace(/\s+\|/g, ' |')))
  const missing = CONFIG_TABLE.map(one => `| \`${one.variable}\` | ${one.default} | ${one.meaning} |`).filter(
    row => !rows.has(row),
  )
  assert.deepEqual(missing, [])
})
