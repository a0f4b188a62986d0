import { ApiProperty } from '@nestjs/swagger';
import { Nested } from '../../../shared/nested';
import { RepositoryReference } from '../../../shared/repository-reference.dto';
import { IsText } from '../../../shared/text';

const MAX_SLUG = 255;

/** A class with the repository of a request, which `description` describes, and the organization of the caller. */
export function OfRepository(description: string): new () => { repo: RepositoryReference; org_url_slug: string } {
  class RequestOfRepository {
    @Nested(() => RepositoryReference, description)
    repo: RepositoryReference;

    @ApiProperty({ description: "Slug of the caller's organization.", example: 'demo' })
    @IsText(MAX_SLUG)
    org_url_slug: string;
  }
  return RequestOfRepository;
}
