import assert from 'node:assert/strict'
import { test } from 'tap'
import { isPublicAddress } from '../../../src/platform/http_client/index.ts'

test('addresses of the public internet are public, special ones are not', async () => {
  for (const address of [
    '8.8.8.8',
    '93.184.215.14',
    '172.32.0.1',
    '2606:4700::1111',
    '2a00:1450:4001::1',
    '::ffff:8.8.8.8',
  ]) {
    assert.equal(isPublicAddress(address), true, address)
  }
  const special =
    '127.0.0.1 127.1.2.3 10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 100.64.0.1 0.0.0.0 255.255.255.255 ' +
    '224.0.0.1 240.0.0.1 192.0.2.1 198.18.0.1 ::1 :: fe80::1 fe80::1%eth0 fc00::1 fd12::1 fec0::1 ff02::1 2001:db8::1 ' +
    '::ffff:127.0.0.1 ::ffff:10.0.0.1 ::127.0.0.1 64:ff9b::7f00:1 2002:7f00:1:: 2001::1 4000::1 localhost example.com'
  for (const address of ['', ...special.split(' ')]) assert.equal(isPublicAddress(address), false, address)
})
