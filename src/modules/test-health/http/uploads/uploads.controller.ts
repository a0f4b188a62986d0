import { Controller, Post, Req } from '@nestjs/common';
import { ApiExtraModels, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import type { Caller } from '../../../../platform/requests/caller';
import { CurrentCaller } from '../../../../platform/auth/current-caller';
import { OwnBody } from '../../../../platform/http/own-body';
import { Endpoint } from '../../../../platform/openapi/endpoint';
import { ResultsMetadata } from './dto/upload-metadata.dto';
import { StoredUpload } from './dto/stored-upload.dto';
import { BODIES, FieldsInQuery } from './upload-description';
import { UploadsService } from './uploads.service';
import { AdmitAs } from '../../../../platform/http/admission-control';

const DESCRIPTION = `Test reports (JUnit, TRX, NUnit 3 or xUnit.net XML, CTRF, the events of \`go test -json\`, TAP; told by their
content) as \`multipart/form-data\`: first the field \`metadata\` (a JSON object), then optionally the field \`codeowners\`
(the text of a CODEOWNERS file), then any number of reports as files, each plain or gzip. Or a single report as the body
(\`application/xml\`, \`application/json\`, \`text/plain\` or \`application/gzip\`), with the fields of \`metadata\` in the query and \`repo\` as \`host/owner/name\`.

Reports that cannot be read are left out, and listed in \`refused_files\`; when none can be read, the answer is a 400. A second upload with the same \`upload_id\` changes nothing and is answered as \`known\`.`;

@ApiTags('Test health')
@Controller('flaky-tests')
export class UploadsController {
  constructor(private readonly uploads: UploadsService) {}

  @Post('upload-results')
  @AdmitAs('always')
  @OwnBody('stream')
  @ApiExtraModels(ResultsMetadata)
  @FieldsInQuery()
  @Endpoint({
    summary: 'Upload test results',
    description: DESCRIPTION,
    capability: 'upload',
    requestContent: BODIES,
    response: StoredUpload,
    errors: [
      ...(['VALIDATION_FAILED', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const),
      ...(['ORGANIZATION_MISMATCH', 'REPOSITORY_NOT_FOUND'] as const),
    ],
  })
  uploadResults(@CurrentCaller() caller: Caller, @Req() request: Request): Promise<StoredUpload> {
    return this.uploads.take(caller, request);
  }
}
