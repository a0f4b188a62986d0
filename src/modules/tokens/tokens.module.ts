import { Module } from '@nestjs/common';
import { CallingTokenController } from './calling-token.controller';

@Module({ controllers: [CallingTokenController] })
export class TokensModule {}
