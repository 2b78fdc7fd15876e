import { BlockList, isIP } from 'node:net'

/**
 * IANA's special-purpose ranges: private, shared, link-local (includes cloud metadata), test and multicast addresses.
 */
const SPECIAL_4 = `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24
  192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4`
/**
 * Public addresses by which clouds reach a machine's own host, with its metadata: Azure's. Those of other clouds are in the
 * ranges above: Alibaba's 100.100.100.200, Oracle's 192.0.0.192.
 */
const OF_CLOUDS = '168.63.129.16/32'
/** Exceptions within 2000::/3, the only public range: Teredo, 6to4 and test ranges, which lead to other addresses. */
const SPECIAL_6 = '2001::/23 2001:db8::/32 2002::/16 3fff::/20'
const LOOPBACK = '127.0.0.0/8 ::1/128'

const special = listOf(SPECIAL_4, OF_CLOUDS, SPECIAL_6)
const global6 = listOf('2000::/3')
const loopback = listOf(LOOPBACK)

function listOf(...ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges.join(' ').split(/\s+/)) {
    const [address = '', bits] = range.split('/')
    list.addSubnet(address, Number(bits), typeOf(address))
  }
  return list
}

function typeOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}

/** Whether an address is on the public internet. An IPv4 address written as IPv6 does not count as public. */
export function isPublic(address: string): boolean {
  if (isIP(address) === 0) return false
  const type = typeOf(address)
  return !special.check(address, type) && (type === 'ipv4' || global6.check(address, type))
}

export function isLoopback(address: string): boolean {
  return isIP(address) !== 0 && loopback.check(address, typeOf(address))
}
