import { expect } from 'chai'
import { isLoopback, isPublic } from '../../src/request-guard/index.ts'

describe('an address', () => {
  it('is public if it is in no special range', () => {
    const own =
      '127.0.0.1 10.1.2.3 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 0.0.0.0 224.0.0.1 ::1 fe80::1 fc00::1 ::ffff:8.8.8.8 2002:7f00:1:: 240.0.0.1 255.255.255.255 2001:db8::1 ff02::1 ::1.2.3.4 x'
    for (const address of own.split(' ')) expect(isPublic(address), address).to.equal(false)
    for (const address of [
      '8.8.8.8',
      '93.184.216.34',
      '1.1.1.1',
      '172.32.0.1',
      '2606:4700::1111',
    ]) {
      expect(isPublic(address), address).to.equal(true)
    }
  })

  it('is not public where a cloud has the metadata of its machines', () => {
    for (const address of ['168.63.129.16', '100.100.100.200', '192.0.0.192', 'fd00:ec2::254']) {
      expect(isPublic(address), address).to.equal(false)
    }
    expect(isPublic('168.63.129.17')).to.equal(true)
  })

  it('is of this machine in the ranges of loopback alone', () => {
    for (const address of ['127.0.0.1', '127.8.9.10', '::1']) {
      expect(isLoopback(address), address).to.equal(true)
    }
    for (const address of ['128.0.0.1', '10.0.0.1', '::2', 'localhost', '']) {
      expect(isLoopback(address), address).to.equal(false)
    }
  })
})
