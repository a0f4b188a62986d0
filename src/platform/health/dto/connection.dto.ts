import { ApiProperty } from '@nestjs/swagger';

/** A request as the service sees it. */
export class SeenConnection {
  @ApiProperty({
    description: "The caller's address, as the audit log and the limit for failed attempts use it.",
    example: '203.0.113.9',
  })
  address: string;

  @ApiProperty({ description: 'The protocol of the caller, `http` or `https`.', example: 'https' })
  protocol: string;

  @ApiProperty({
    type: 'integer',
    description: 'Number of addresses in X-Forwarded-For. Each proxy adds one address.',
    example: 1,
  })
  forwardedAddresses: number;

  @ApiProperty({ type: 'integer', description: 'The value of SLUICE_TRUST_PROXY.', example: 1 })
  trustedProxies: number;

  @ApiProperty({ description: 'The value of SLUICE_PUBLIC_URL.', example: 'https://sluice.example' })
  publicUrl: string;
}
