import assert from 'node:assert/strict'
import { test } from 'tap'
import { isAddressIn, parseNetworks } from '../../../src/core/networks.ts'
import { clientAddress, rateLimitKey } from '../../../src/platform/http/client_address.ts'

test('the client is the nearest hop that is not a trusted proxy', async () => {
  const trusted = parseNetworks('loopback, 10.0.0.0/8 2001:db8:1::/48')
  const cases: [string, string, string][] = [
    ['198.51.100.7', '', '198.51.100.7'],
    ['198.51.100.7', '203.0.113.9', '198.51.100.7'],
    ['127.0.0.1', '', '127.0.0.1'],
    ['127.0.0.1', '', '127.0.0.1'],
    ['127.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['127.0.0.1', '192.0.2.66, 203.0.113.9,10.1.2.3', '203.0.113.9'],
    ['127.0.0.1', '10.0.0.1, 10.0.0.2', '10.0.0.1'],
    ['127.0.0.1', '203.0.113.9, nonsense, 10.0.0.2', '10.0.0.2'],
    ['127.0.0.1', '203.0.113.9:4711', '203.0.113.9'],
    ['127.0.0.1', '[2001:DB8::0:1]:4711', '2001:db8::1'],
    ['2001:db8:1::5', '2001:db8:2::5', '2001:db8:2::5'],
    ['0000:0000:0000:0000:0000:ffff:7f00:0001', '::ffff:203.0.113.9', '203.0.113.9'],
    ['::1', '127.1', '::1'],
    ['', '203.0.113.9', ''],
  ]
  for (const [remote, forwarded, expected] of cases)
    assert.equal(
      clientAddress(remote, () => forwarded, trusted),
      expected,
      `${remote} < ${forwarded}`,
    )
  assert.equal(
    clientAddress('127.0.0.1', () => '203.0.113.9', parseNetworks('')),
    '127.0.0.1',
  )
})

test('one invalid entry invalidates the setting of trusted proxies', async () => {
  const trusted = parseNetworks('uniquelocal ::ffff:198.51.100.0/120')
  assert.ok(isAddressIn('192.168.3.4', trusted))
  assert.ok(isAddressIn('::ffff:198.51.100.9', trusted))
  assert.ok(!isAddressIn('127.0.0.1', trusted))
  assert.ok(!isAddressIn('local', trusted))
  for (const setting of ['10.0.0.0/33', 'proxy.example', 'toString', '10.0.0.0/8;::1'])
    assert.throws(() => parseNetworks(setting), /is no address or network/)
})

test('clients are counted by IPv4 address or IPv6 /64', async () => {
  assert.equal(rateLimitKey('203.0.113.9'), '203.0.113.9')
  assert.equal(rateLimitKey('2001:db8:0:7:1:2:3:4'), rateLimitKey('2001:db8:0:7::9'))
  assert.notEqual(rateLimitKey('2001:db8:0:7::9'), rateLimitKey('2001:db8:0:8::9'))
  assert.equal(rateLimitKey('::ffff:203.0.113.9'), '203.0.113.9')
  assert.equal(rateLimitKey('2001:db8:0:7::9'), '2001:db8:0:7::/64')
})
